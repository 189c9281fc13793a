"""Texts of the library in words of Python: it speaks of the program's options."""

import re

_CHANGES = [
    (r"add --input '(.*)=FILE' or --fill '\1=random'", r"give an array for it: {'\1': array}"),
    (r"name one: --shape '(.*?)=(.*?)', or give a tensor: --input '\1=FILE'", r"name one: shapes={'\1': '\2'}, or give an array"),
    (r"'--shape ([^'=]*)=([^']*)'", r"shapes={'\1': '\2'}"),
    (r"--shape '([^'=]*)=([^']*)'", r"shapes={'\1': '\2'}"),
    (r"'--shape ([^']*)'", r"shapes={'': '\1'}"),
    (r"--weights (\S+)", r"weights=\1"),
    (r"--weights\b", "weights="),
    (r"--max-memory (\d+)M", r"max_memory=\1 << 20"),
    (r"--max-memory\b", "max_memory="),
    (r"--max-time (\d+)", r"max_time=\1"),
    (r"--max-time\b", "max_time="),
    (r"--allow=(\w+)", r"allow=['\1']"),
    (r"--cast\b", "cast=True"),
    (r"--edit ", ""),
    (r"; -v shows all notes", ""),
]


def in_python(text: str) -> str:
    if "--" in text:
        for pattern, words in _CHANGES:
            text = re.sub(pattern, words, text)
    return text
