#!/usr/bin/env bash
# Installs rankgate into $RUNNER_TEMP/rankgate, an environment of its own: the job's Python stays as it is.
#   RANKGATE_VERSION  the exact version; empty for the code that lies beside this file
#   RANKGATE_PYTHON   the interpreter to make the environment with
set -euo pipefail

wanted=$GITHUB_ACTION_PATH
if [[ -n $RANKGATE_VERSION ]]; then
  if [[ ! $RANKGATE_VERSION =~ ^[0-9]+(\.[0-9]+)*((a|b|rc)[0-9]+)?(\.(post|dev)[0-9]+)*$ ]]; then
    echo "::error title=rankgate::the input version takes an exact version, for example 1.2.3"
    exit 2
  fi
  wanted=rankgate==$RANKGATE_VERSION
fi

environment=$RUNNER_TEMP/rankgate
"${RANKGATE_PYTHON:-python3}" -m venv "$environment"
python=$environment/bin/python
[[ -x $python ]] || python=$environment/Scripts/python.exe
"$python" -m pip install --quiet --no-input --disable-pip-version-check "$wanted"
