"""The texts of the page: the same in every language, and every one that the page asks for."""

import json
import re
from pathlib import Path

import pytest

STATIC = Path(__file__).resolve().parent.parent / "nardzero" / "web" / "static"
LANGUAGES = {file.stem: json.loads(file.read_text()) for file in sorted((STATIC / "lang").glob("*.json"))}
ENGLISH = LANGUAGES["en"]
SCRIPTS = sorted((STATIC / "js").glob("*.js"))
PAGE = (STATIC / "index.html").read_text()


def parameters(text):
    return sorted(set(re.findall(r"\{(\w+)\}", text)))


def test_english_persian_and_hungarian_are_spoken():
    assert set(LANGUAGES) == {"en", "fa", "hu"}
    assert {name: words["direction"] for name, words in LANGUAGES.items()} == {
        "en": "ltr",
        "fa": "rtl",
        "hu": "ltr",
    }


@pytest.mark.parametrize("language", ["fa", "hu"])
def test_all_languages_have_the_same_texts_with_the_same_parameters(language):
    words = LANGUAGES[language]
    assert list(words) == list(ENGLISH)
    assert {key: parameters(text) for key, text in words.items()} == {
        key: parameters(text) for key, text in ENGLISH.items()
    }
    assert not [key for key, text in words.items() if not text.strip()]


def test_the_words_are_those_of_the_source_documents():
    persian, hungarian = LANGUAGES["fa"], LANGUAGES["hu"]
    assert (persian["act.take"], persian["act.pass"], persian["act.double"]) == ("قبول", "رد", "داو دادن")
    assert (persian["kind.gammon"], persian["kind.backgammon"]) == ("مارس", "مارس سیاه")
    assert (hungarian["act.take"], hungarian["act.pass"]) == ("Elfogadás", "Eldobás")
    assert "{point}. mező" in hungarian["place.point"]
    assert "خانهٔ" in persian["place.point"]


def asked():
    """The keys that the page asks for as they stand, and the beginnings of those that it puts together."""
    whole = set(re.findall(r'data-(?:text|label|hint)="([\w.]+)"', PAGE))
    begun = set()
    for script in SCRIPTS:
        source = script.read_text()
        whole |= set(re.findall(r'\bt\(\s*"([\w.]+)"', source))
        whole |= set(re.findall(r'\bt\([^"`]*? \? "([\w.]+)"', source))
        begun |= set(re.findall(r"\bt\(\s*`([\w.]+)\.\$\{", source))
    return whole, begun


def test_every_text_that_the_page_asks_for_is_there():
    whole, begun = asked()
    assert len(whole) > 100
    assert not sorted(key for key in whole if key not in ENGLISH)
    assert not sorted(start for start in begun if not any(key.startswith(f"{start}.") for key in ENGLISH))


def test_the_page_holds_no_script_or_style_of_its_own():
    assert not re.search(r"<script(?![^>]*\bsrc=)", PAGE)
    assert not re.search(r"<style|\sstyle=|\son\w+=", PAGE)
    outside = [file for file in STATIC.rglob("*.*") if file.suffix in {".js", ".css", ".html"}]
    for file in outside:
        links = re.findall(r"https?://[^\"'\s)]+", file.read_text())
        assert all(link.startswith("http://www.w3.org/") for link in links), (file, links)
