#!/bin/sh
# From a clean clone to a running demo: installs what is missing, then runs the npm script.
#   sh web/build/lab.sh start | test | check | build | bench | format | size   [arguments for the script]
set -eu
cd "$(dirname "$0")/../.."

say() { printf '%s\n' "$*"; }
fail() {
  printf '%s\n' "$@" >&2
  exit 1
}
has() { command -v "$1" >/dev/null 2>&1; }

task=${1:-}
case $task in
  start | test | check | build | bench | format | size) shift ;;
  *) fail "usage: sh web/build/lab.sh start|test|check|build|bench|format|size" ;;
esac

# ---- what is missing ------------------------------------------------------------------------

missing_apt=''
missing_brew=''
need() { # need <apt package> <brew formula or -> <check ...>
  package=$1 formula=$2
  shift 2
  "$@" && return 0
  missing_apt="$missing_apt $package"
  [ "$formula" = - ] || missing_brew="$missing_brew $formula"
}

node_major() { node -p 'process.versions.node.split(".")[0]' 2>/dev/null || echo 0; }
has_node() { has node; }
has_npm() { has npm; }
has_emscripten() {
  [ -n "${EMSDK:-}" ] && [ -x "$EMSDK/upstream/emscripten/em++" ] && return 0
  has em++
}
has_ninja() { has ninja || has make; }
has_eigen() {
  for folder in "${EIGEN3_ROOT:-}" "${EIGEN3_ROOT:-}/include/eigen3" /usr/include/eigen3 \
    /usr/local/include/eigen3 /opt/homebrew/include/eigen3; do
    [ -f "$folder/Eigen/Core" ] && return 0
  done
  return 1
}
has_catch2() {
  for folder in /usr/include /usr/local/include /opt/homebrew/include; do
    for header in catch.hpp catch_all.hpp; do
      [ -f "$folder/catch2/$header" ] && return 0
    done
  done
  return 1
}
has_native_compiler() { has g++; }
has_clang() { has clang++; }
has_sanitizers() {
  has clang++ || return 1
  runtime=$(clang++ -print-runtime-dir 2>/dev/null) || return 1
  for library in "$runtime"/libclang_rt.asan* "$runtime"/../*/libclang_rt.asan*; do
    [ -e "$library" ] && return 0
  done
  return 1
}
has_clang_tidy() { has clang-tidy; }
has_clang_format() { has clang-format; }
has_chromium() { has chromium || has chromium-browser || has google-chrome || on_mac; }
has_firefox() { has firefox-esr || has firefox || on_mac; }
has_chinese_font() {
  on_mac && return 0
  has fc-list && [ -n "$(fc-list :lang=zh-cn file 2>/dev/null)" ]
}
has_numpy() {
  for program in python3 /usr/bin/python3; do
    "$program" -c 'import numpy' 2>/dev/null && return 0
  done
  return 1
}
on_mac() { [ "$(uname -s)" = Darwin ]; }

look() {
  missing_apt=''
  missing_brew=''
  need nodejs node has_node
  need npm - has_npm
  [ "$task" = format ] || {
    need emscripten emscripten has_emscripten
    need libeigen3-dev eigen has_eigen
    need cmake cmake has cmake
    need ninja-build ninja has_ninja
  }
  case $task in
    format | test | check) need clang-format clang-format has_clang_format ;;
  esac
  case $task in
    bench | test) need g++ gcc has_native_compiler ;;
  esac
  case $task in
    test | check) ;;
    *) return 0 ;;
  esac
  need clang llvm has_clang
  need clang-tidy - has_clang_tidy
  need chromium - has_chromium
  need fonts-noto-cjk - has_chinese_font
  need python3-numpy numpy has_numpy
  [ "$task" = test ] || return 0
  need catch2 catch2 has_catch2
  need libclang-rt-dev - has_sanitizers
  need firefox-esr - has_firefox
}

# ---- installing -----------------------------------------------------------------------------

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

install_with_apt() {
  # shellcheck disable=SC2086 # a list of package names
  set -- $missing_apt
  if has node; then
    # Node from elsewhere brings its own npm, and Debian's npm package conflicts with it.
    if ! has npm && dpkg-query -W -f '${Version}' nodejs 2>/dev/null | grep -q nodesource; then
      fail 'npm is missing although Node comes from NodeSource: reinstall it with' \
        '  apt-get install --reinstall nodejs'
    fi
  fi
  if [ "$(id -u)" != 0 ] && ! has sudo; then
    fail 'These packages are missing, and neither root nor sudo is at hand. As root, run:' \
      "  apt-get update && apt-get install -y --no-install-recommends $*"
  fi
  say "lab: installing with apt:$missing_apt"
  as_root apt-get update -q -o Acquire::Retries=3 || say 'lab: apt-get update failed; going on with the known package lists'
  known=''
  for package in "$@"; do
    if apt-cache show "$package" >/dev/null 2>&1; then
      known="$known $package"
    else
      say "lab: this system's apt knows no package $package"
    fi
  done
  # shellcheck disable=SC2086
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q --no-install-recommends \
    -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 $known
}

without_apt() {
  say "lab: missing here (Debian's names):$missing_apt"
  if on_mac; then
    say "Install with:  brew install$missing_brew"
  else
    say 'Install them with your package manager. Emscripten, where it has none:'
    say '  git clone https://github.com/emscripten-core/emsdk && cd emsdk'
    say '  ./emsdk install latest && ./emsdk activate latest && . ./emsdk_env.sh'
  fi
}

look
if [ -n "$missing_apt" ]; then
  if has apt-get; then
    install_with_apt
    hash -r
    look
    [ -z "$missing_apt" ] || say "lab: still missing:$missing_apt"
  else
    without_apt
    # Tests say by themselves what they skip; without these nothing runs at all.
    case " $missing_apt " in
      *' nodejs '* | *' npm '* | *' emscripten '* | *' cmake '* | *' ninja-build '* | *' libeigen3-dev '*)
        exit 1
        ;;
    esac
  fi
fi

has node || fail 'Node is missing.'
[ "$(node_major)" -ge 18 ] ||
  fail "Node $(node --version) at $(command -v node) is too old: version 18 or later is needed." \
    'Remove it, or put a newer one first on PATH: https://nodejs.org/'
has npm || fail 'npm is missing.'

# ---- npm packages ---------------------------------------------------------------------------

installed=node_modules/.package-lock.json
if [ ! -f "$installed" ] || [ -n "$(find package-lock.json -newer "$installed")" ]; then
  say 'lab: installing npm packages (npm ci)'
  # No package here needs an install script: esbuild finds its binary without one.
  npm_ci() { npm ci --ignore-scripts --no-audit --no-fund --loglevel=error "$@"; }
  # A second try takes up what the first one has fetched.
  npm_ci || npm_ci --prefer-offline
fi

if [ $# -gt 0 ]; then exec npm run "$task" -- "$@"; fi
exec npm run "$task"
