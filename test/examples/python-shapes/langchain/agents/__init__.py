from types import SimpleNamespace


def create_agent(model, tools, middleware):
    return SimpleNamespace(model=model, tools=tools, middleware=middleware)
