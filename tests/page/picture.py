"""picture.py IRRUN OUT.png: draws the picture of a page for the documents, with Chromium."""
import os
import subprocess
import sys
import tempfile

from browser import Browser, find


def main():
    irrun, out = (os.path.abspath(path) for path in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as folder:
        page = os.path.join(folder, "page.html")
        subprocess.run([irrun, "models/networks/pool_mixer.xml", "--fill", "random", "--report=" + page, "-q"], check=True,
                       stdout=subprocess.DEVNULL)
        browser = Browser(find(), 1120, 680)
        browser.open(page)
        # the details are scrolled to their end, the histogram
        browser.run("showView('memory'); choose(byName.get('stages.0/blocks.0/add'), true); zoom(0.66); details.scrollTop = 1e6")
        browser.screenshot(out)
        browser.close()


if __name__ == "__main__":
    main()
