"""`python -m copilot.cli`: the `memoria` command."""

from copilot.cli import main

main()
