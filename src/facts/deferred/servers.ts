/** MCP servers that a written text adds: the content says it, whatever the file is called. */

/** Formats in which agents keep settings; a document that shows such settings sets nothing. */
const SETTINGS = /(?:\.(?:json|jsonc|json5|toml|ya?ml|conf|cfg|config)|(?:^|[/\\])[^./\\]+)$/i

const JSON_KEY = /["'](?:mcpServers|mcp_servers|context_servers)["']\s{0,8}:\s{0,8}\{\s{0,200}["']([\w@./ -]{1,80})["']/
const TOML_TABLE = /^[ \t]*\[{1,2}(?:mcp_servers|mcpServers|mcp\.servers)\.(?:"([^"\n]{1,80})"|([\w-]{1,80}))/m
const YAML_KEY = /^(?:mcpServers|mcp_servers):[ \t]*\n[ \t]{1,16}(?:-[ \t]{1,4}name:[ \t]*)?["']?([\w@./-]{1,80})/m

/** Names of the first server in each form; empty where the text adds none. */
export function serversIn(path: string, text: string): readonly string[] {
  if (!/mcp_?servers|mcp\.servers|context_servers/i.test(text) || !SETTINGS.test(path)) return []
  const json = JSON_KEY.exec(text)?.[1]
  const toml = TOML_TABLE.exec(text)
  const yaml = YAML_KEY.exec(text)?.[1]
  const name = json ?? toml?.[1] ?? toml?.[2] ?? yaml
  return name === undefined ? [] : [name]
}
