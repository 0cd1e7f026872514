/** The policy that `countersign init` writes, and that holds where a shipped default is wanted. */
export const DEFAULT_POLICY = `# Countersign policy. Reference: docs/reference/policy.md · check it with: countersign policy lint
version: 1

# enforce stops calls; shadow only records what would have been stopped.
mode: enforce

# What a call gets that nothing below permits: ask or deny.
default: ask

# Tools that are not registered: deny, ask or allow.
unregistered: ask

# Families of known tools that count as registered. Their calls run unless an effect is dangerous.
tool_families:
  [ claude-code, codex, gemini-cli, cursor, copilot, opencode, cline, cascade, other-agents, mcp-filesystem, mcp-git, mcp-fetch, mcp-shell,
    mcp-browser, mcp-database, mcp-memory, mcp-github, mcp-gitlab, mcp-slack, mcp-email, mcp-calendar, mcp-payment, mcp-kubernetes,
    mcp-tracker, mcp-documents, mcp-mongodb, mcp-redis, mcp-aws, mcp-aids,
    mcp-hosting, mcp-observing, mcp-containers, mcp-customers, mcp-code, mcp-reading ]

# Your own and your MCP servers' tools, by name or server/name:
# tools:
#   send_email: { risk_tier: high, irreversible: true }
#   github/create_issue: { risk_tier: medium }

rules:
  # Calls that only read run without a question.
  read_only: { auto_allow: true }
  # deny:
  #   - tool: exec_shell
  #     reason: too risky
  # ask:
  #   - when: effects.exists(e, e.verb == "send" && !e.target.value.endsWith("@example.com"))
  #     reason: mail leaves the company
`
