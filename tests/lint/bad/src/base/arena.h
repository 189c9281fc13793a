#include "base/source.h"
