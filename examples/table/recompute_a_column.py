"""A column of the table of today's models again, from nothing: train, explain, judge, compare with what is kept.

python examples/table/recompute_a_column.py            # M34: our CNN on 200 documents, a minute
python examples/table/recompute_a_column.py M04        # all 823 documents; docs/modern.md lists the others
"""

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from experiments.modern.again import again  # noqa: E402
from experiments.modern.spec import Folders, read_modern  # noqa: E402

from whichword.cli.evaluate import play  # noqa: E402
from whichword.corpora.registry import data_folder  # noqa: E402
from whichword.errors import InputError  # noqa: E402

if __name__ == "__main__":
    column = sys.argv[1] if len(sys.argv) > 1 else "M34"
    modern = read_modern(ROOT / "experiments/modern/modern.toml")
    with tempfile.TemporaryDirectory() as folder:
        try:
            print(again(modern, Folders(data_folder(None), Path("pretrained"), Path(folder)), column, play, 1))
        except InputError as error:
            sys.exit(f"error: {error}")
