/** The kinds of MCP clients whose configuration is shown. */
export const MCP_CLIENTS = [
  { value: 'http', label: 'Over HTTP' },
  { value: 'vs-code', label: 'VS Code' },
  { value: 'command', label: 'Through a program' },
] as const;

/** A kind of MCP client. */
export type McpClient = (typeof MCP_CLIENTS)[number]['value'];

/** The text to paste so that a client connects with a token; VS Code prompts for the token instead of storing it in the file. */
export function clientConfiguration(client: McpClient, publicUrl: string, token: string): string {
  const url = `${publicUrl}/api/mcp`;
  switch (client) {
    case 'http':
      return httpFile(url, token);
    case 'vs-code':
      return vsCodeFile(url);
    case 'command':
      return commandFile(url, token);
    default:
      return client satisfies never;
  }
}

/** Where the configuration of a client belongs. */
export function configurationPlace(client: McpClient): string {
  switch (client) {
    case 'http':
      return 'Add this to the configuration of a client that connects to servers itself.';
    case 'vs-code':
      return 'Save this as .vscode/mcp.json. VS Code asks for the token and stores it outside the file.';
    case 'command':
      return 'Add this to the configuration of a client that can only start programs.';
    default:
      return client satisfies never;
  }
}

// The indentation is the one of docs/mcp.md: objects that fit on a line stay on one.
function httpFile(url: string, token: string): string {
  return `{
  "mcpServers": {
    "switchyard": {
      "type": "http",
      "url": ${JSON.stringify(url)},
      "headers": { "Authorization": ${JSON.stringify(`Bearer ${token}`)} }
    }
  }
}`;
}

function vsCodeFile(url: string): string {
  return `{
  "inputs": [{ "type": "promptString", "id": "switchyard-token", "description": "Machine token", "password": true }],
  "servers": {
    "switchyard": {
      "type": "http",
      "url": ${JSON.stringify(url)},
      "headers": { "Authorization": "Bearer \${input:switchyard-token}" }
    }
  }
}`;
}

function commandFile(url: string, token: string): string {
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
