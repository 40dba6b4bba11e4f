'use client';

import { useState } from 'react';
import { Command } from '#/components/first-payment/first-payment.tsx';
import { SegmentedControl } from '#/components/segmented-control/segmented-control.tsx';

/** The configuration with which an MCP client connects, for the client that is chosen. */
export function ClientSetup({ publicUrl, token }: { publicUrl: string; token: string }) {
  const [client, setClient] = useState<McpClient>('http');
  return (
    <div className="grid min-w-0 grid-cols-1 gap-2 justify-items-start">
      <SegmentedControl label="MCP client" choices={MCP_CLIENTS} value={client} onChange={setClient} />
      <p className="text-ink-quiet text-sm">{configurationPlace(client)}</p>
      <Command text={clientConfiguration(client, publicUrl, token)} label="The configuration of the client" />
    </div>
  );
}

/** The kinds of MCP clients whose configuration is shown. */
const MCP_CLIENTS = [
  { value: 'http', label: 'Over HTTP' },
  { value: 'vs-code', label: 'VS Code' },
  { value: 'command', label: 'Through a program' },
] as const;

/** A kind of MCP client. */
type McpClient = (typeof MCP_CLIENTS)[number]['value'];

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
function configurationPlace(client: McpClient): string {
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

// Objects that fit on a line stay on one.
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

/** Text in place of a token that is not known. */
export const ANY_TOKEN = '<token>';

/** A shell command that requests thirty days of volume with a token. */
export function volumeCommand(
  publicUrl: string,
  { mode, now, token = ANY_TOKEN }: { readonly mode: 'test' | 'live'; readonly now: number; readonly token?: string },
): string {
  const to = new Date(now).toISOString().slice(0, 10);
  const from = new Date(now - 30 * 86_400_000).toISOString().slice(0, 10);
  const query = [
    `{ volume(filter: { mode: ${mode}, from: \\"${from}T00:00:00Z\\", to: \\"${to}T00:00:00Z\\" }, groupBy: [day])`,
    '{ ... on VolumeReport { total { paidAmount } rows { periodStart sums { paid paidAmount fees net } } } } }',
  ].join(' ');
  return [
    `curl ${publicUrl}/api/graphql \\`,
    `  -H 'Authorization: Bearer ${token}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"query":"${query}"}'`,
  ].join('\n');
}

/** A shell command that exports payments as a file. */
export function exportCommand(publicUrl: string, mode: 'test' | 'live'): string {
  return [
    `curl -G ${publicUrl}/api/export/payments \\`,
    `  -H 'Authorization: Bearer ${ANY_TOKEN}' \\`,
    `  -d format=ndjson \\`,
    `  --data-urlencode 'filter={"mode":"${mode}"}'`,
  ].join('\n');
}
