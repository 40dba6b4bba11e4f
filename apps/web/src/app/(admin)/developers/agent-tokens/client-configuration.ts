/** The MCP clients whose configuration is shown. */
export const MCP_CLIENTS = [
  { value: 'claude-code', label: 'Claude Code' },
  { value: 'vs-code', label: 'VS Code' },
  { value: 'claude-desktop', label: 'Claude Desktop' },
] as const;

/** An MCP client. */
export type McpClient = (typeof MCP_CLIENTS)[number]['value'];

/** What a person pastes so that a client connects with a token; VS Code prompts for the token instead of storing it in the file. */
export function clientConfiguration(client: McpClient, publicUrl: string, token: string): string {
  const url = `${publicUrl}/api/mcp`;
  switch (client) {
    case 'claude-code':
      return `claude mcp add --transport http switchyard ${url} --header "Authorization: Bearer ${token}"`;
    case 'vs-code':
      return vsCodeFile(url);
    case 'claude-desktop':
      return claudeDesktopFile(url, token);
    default: {
      const never: never = client;
      return never;
    }
  }
}

/** Where the configuration of a client belongs. */
export function configurationPlace(client: McpClient): string {
  switch (client) {
    case 'claude-code':
      return 'Run this in a terminal.';
    case 'vs-code':
      return 'Save this as .vscode/mcp.json. VS Code asks for the token and stores it outside the file.';
    case 'claude-desktop':
      return 'Put this into claude_desktop_config.json.';
    default: {
      const never: never = client;
      return never;
    }
  }
}

// The indentation is the one of docs/mcp.md: objects that fit on a line stay on one.
function vsCodeFile(url: string): string {
  return `{
  "inputs": [{ "type": "promptString", "id": "switchyard-token", "description": "Agent token", "password": true }],
  "servers": {
    "switchyard": {
      "type": "http",
      "url": ${JSON.stringify(url)},
      "headers": { "Authorization": "Bearer \${input:switchyard-token}" }
    }
  }
}`;
}

function claudeDesktopFile(url: string, token: string): string {
  return `{
  "mcpServers": {
    "switchyard": {
      "command": "npx",
      "args": ["-y", "mcp-remote", ${JSON.stringify(url)}, "--header", "Authorization:\${AUTH}"],
      "env": { "AUTH": ${JSON.stringify(`Bearer ${token}`)} }
    }
  }
}`;
}
