"""What a hash over sources sees, and what it does not."""

from pathlib import Path

from whichword.runs.sources import sources_hash

ONE = '"""A."""\n\nimport os\n\nA = 1\n\n\n@cache\ndef f(x: int) -> str:\n    return f"{x + A}"\n\n\nadd(f)\n'


def hashed(folder: Path, **files: str) -> str:
    folder.mkdir()
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf8")
    return sources_hash(folder.glob("*.py"))


def test_a_definition_that_moves_changes_nothing(tmp_path: Path) -> None:
    whole = hashed(tmp_path / "whole", a=ONE)
    first, second, third = ONE.split("\n\n\n")
    assert hashed(tmp_path / "renamed", other=ONE) == whole
    assert hashed(tmp_path / "parted", b=f'"""B."""\n\nfrom a import A\n\n\n{second}', a=first, c=third) == whole
    assert hashed(tmp_path / "told", a=ONE.replace("A.", "B.").replace("import os", "import io")) == whole


def test_what_is_computed_does(tmp_path: Path) -> None:
    parts = {"A = 1": "A = 2", "x + A": "x - A", "int": "str", "@cache\n": "", "return": "yield", "add(f)": ""}
    texts = [ONE, *(ONE.replace(was, now) for was, now in parts.items())]
    assert len({hashed(tmp_path / str(number), a=text) for number, text in enumerate(texts)}) == 7


def test_a_library_is_its_bytes(tmp_path: Path) -> None:
    (tmp_path / "_kernels.so").write_bytes(b"\x7fELF\0")
    before = sources_hash([tmp_path / "_kernels.so"])
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "_kernels.so").write_bytes(b"\x7fELF\1")
    assert sources_hash([tmp_path / "b" / "_kernels.so"]) != before
