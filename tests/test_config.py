"""Configurations: files, overrides, and what is refused with a sentence."""

import pytest

from nardzero.learn.config import (
    SECTIONS,
    Config,
    ConfigError,
    LearnConfig,
    config_from_dict,
    describe_fields,
    load_config,
)
from nardzero.learn.trainers import new_trainer
from nardzero.model.store import shipped, shipped_bots

CONFIGS = sorted(file.stem for file in shipped("configs").glob("*.toml"))


def test_a_file_states_what_differs(tmp_path):
    file = tmp_path / "wide.toml"
    file.write_text("[net]\nhidden = [256, 32]\n[learn]\nrate_start = 1\n")
    config = load_config(file, ["train.games=5000", "selfplay.rules=tavla", "learn.average=0"])
    changed = Config().to_dict()
    changed["net"]["hidden"] = [256, 32]
    changed["learn"] |= {"rate_start": 1.0, "average": 0.0}
    changed["train"]["games"] = 5000
    changed["selfplay"]["rules"] = "tavla"
    assert config.to_dict() == changed


def test_a_configuration_survives_as_json():
    config = load_config(None, ["net.hidden=[9, 8, 7]", "selfplay.averaged=true"])
    assert config_from_dict(config.to_dict()) == config


@pytest.mark.parametrize("name", CONFIGS)
def test_shipped_configurations_load_by_name(name):
    assert load_config(name) == load_config(shipped("configs") / f"{name}.toml")


@pytest.mark.parametrize(
    "name", [name for name in CONFIGS if load_config(name).train.start_from in shipped_bots()]
)
def test_shipped_configurations_go_on_from_the_shipped_bots(name):
    config = load_config(
        name, ["train.device=cpu", "selfplay.games_at_once=1", "selfplay.exact_endings=false"]
    )
    trainer = new_trainer(config)
    trainer.start_from(config.train.start_from)
    assert trainer.earlier_games > 0


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("train.games", "section.field=value"),
        ("games=3", "section.field=value"),
        ("trian.games=3", "there are net, selfplay, learn, train"),
        ("train.game=3", "there are games, seed"),
        ("train.games=many", "train.games must be a whole number, not 'many'"),
        ("train.games=0", "train.games must be at least 1 and below 10"),
        ("train.games=1.5", "whole number"),
        ("train.games=true", "whole number"),
        ("train.games=1\ntrain.seed=2", "whole number"),
        ("train.games=99999999999999999999", "below 10"),
        ("train.seed=-1", "train.seed must be from 0"),
        ("train.seed=18446744073709551616", "train.seed must be from 0"),
        ("selfplay.sieve_most=-1", "selfplay.sieve_most must be 0 or more"),
        ("net.hidden=[]", "net.hidden must be a list of widths"),
        ("net.hidden=128", "a list of whole numbers"),
        ("net.encoding=raw", "net.encoding must be one of tesauro208"),
        ("selfplay.rules=narde", "one of standard, takhteh, tavla, nackgammon"),
        ("train.precision=float16", "one of float32, bfloat16, auto"),
        ("train.device=tpu", "one of cpu, cuda, auto"),
        ("selfplay.averaged=yes", "true or false"),
        ("learn.lambda_start=1.5", "from 0 to 1"),
        ("learn.rate_end=0", "above 0"),
        ("learn.average=1", "below 1"),
        ("learn.rate_start=nan", "above 0"),
    ],
)
def test_overrides_that_do_not_fit_say_what_does(override, said):
    with pytest.raises(ConfigError, match=said.replace("[", r"\[")):
        load_config(None, [override])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("games = 3", r"unknown section \[games\]"),
        ("train = 3", "train is a section"),
        ("net = [3]", "net is a section"),
        ("[train\n", "is not TOML"),
    ],
)
def test_files_that_do_not_fit_are_refused(tmp_path, text, said):
    file = tmp_path / "bad.toml"
    file.write_text(text)
    for overrides in ([], ["train.games=5", "net.hidden=[8]"]):
        with pytest.raises(ConfigError, match=said):
            load_config(file, overrides)


def test_a_missing_file_names_the_shipped_ones(tmp_path):
    with pytest.raises(ConfigError, match="quick"):
        load_config(tmp_path / "none.toml")
    with pytest.raises(ConfigError, match="cannot read"):
        load_config(tmp_path)


def test_schedules():
    learn = LearnConfig(
        lambda_start=0.8, lambda_end=0.2, lambda_until=0.5, rate_start=1e-2, rate_end=1e-4, rate_hold=0.5
    )
    assert [learn.lam(share) for share in (0, 0.25, 0.5, 1)] == pytest.approx([0.8, 0.5, 0.2, 0.2])
    assert [learn.rate(share) for share in (0, 0.5, 0.75, 1)] == pytest.approx([1e-2, 1e-2, 1e-3, 1e-4])
    assert LearnConfig(lambda_start=0.7, lambda_end=0.1, lambda_until=0).lam(0) == 0.1
    assert LearnConfig(rate_hold=1, rate_start=1e-3).rate(1) == 1e-3


def test_every_field_is_documented():
    text = describe_fields()
    config = Config().to_dict()
    for section in SECTIONS:
        for name, default in config[section].items():
            assert f"{section}.{name} = {default!r}\n      " in text
