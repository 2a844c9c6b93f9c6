#!/bin/sh
# Starts askuser: the program on the path, else the npm package of the same name.
if command -v askuser >/dev/null 2>&1; then
    exec askuser "$@"
fi
if command -v npx >/dev/null 2>&1; then
    exec npx -y askuser "$@"
fi
echo "askuser is not installed, and there is no npx to fetch it" >&2
exit 127
