"""``python -m data.sample FOLDER``: write every sample report into a folder."""

import argparse
import sys
from pathlib import Path

from data.sample.writing import write_samples


def main() -> None:
    """Parse the folder from the command line and write the reports, one line each on stderr."""
    parser = argparse.ArgumentParser(prog="python -m data.sample", description="Write the sample reports.")
    parser.add_argument("folder", type=Path, help="where the .docx and .facts.json files go")
    folder = parser.parse_args().folder

    def tell(done: int, total: int, note: str = "") -> None:
        print(f"{done}/{total} {note}".rstrip(), file=sys.stderr)

    write_samples(folder, tell)


if __name__ == "__main__":
    main()
