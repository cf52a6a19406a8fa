"""The model server: one way to serve everywhere, from this laptop to a machine with a card.

    environment   finds or makes the virtual environment that holds vLLM, and nothing else
    installer     how that is made
    spec          what to serve, as vLLM's arguments and environment variables
    process       starts, watches and stops one vLLM for a workspace
    group         a process group that is known again and ended whole
    writer        what drafting asks for: a stream of text that can be stopped midway
    client        a writer over HTTP: vLLM or any other OpenAI-compatible server; adapters by name
    held_out      held-out sections written by a server, for evaluation
    answer        one answer on its way
    refusals      what a server's refusals mean
    scripted      a writer that says what it is told: for tests and for work on the app

vLLM is bound to 127.0.0.1: its key guards only part of its routes, so it is never what faces a network.
"""
