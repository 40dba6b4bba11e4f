import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { StaffRole } from '@switchyard/db/client';
import { issueToken } from '@switchyard/staff/machine-tokens';
import { z } from 'zod';
import { MCP_PATH } from '../http/request-kinds.ts';
import type { Switchyard } from '../process.ts';

/** A staff user with these roles. Returns their id. */
export async function createTestStaff(
  { resources, newId }: Switchyard,
  name: string,
  grants: readonly { readonly merchantId: string; readonly role: StaffRole }[],
): Promise<string> {
  const { prisma } = resources.database;
  const staffId = newId();
  const now = new Date();
  await prisma.staffUser.create({ data: { id: staffId, name, email: `${staffId}@example.com`, createdAt: now, updatedAt: now } });
  const data = grants.map((grant) => ({ ...grant, staffId, grantedBy: 'system:test', createdAt: now }));
  await prisma.staffGrant.createMany({ data });
  return staffId;
}

/** A token with which an agent acts as a staff user. */
export async function issueTestToken(switchyard: Switchyard, staffId: string, maySaveDrafts = true) {
  const expiresAt = new Date(Date.now() + 3_600_000);
  const scopes = maySaveDrafts ? (['tools', 'drafts'] as const) : (['tools'] as const);
  const issued = await issueToken(switchyard, { name: 'Support assistant', scopes, expiresAt, staffId });
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  return { token: issued.token, tokenId: issued.listed.id };
}

/** Answer of a tool: its data, or the reason of its refusal. */
export interface ToolOutcome {
  readonly refused: boolean;
  readonly text: string;
  /** Empty after a refusal. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** An agent with the protocol's own client, which checks answers against the tools' output schemas. */
export interface TestAgent {
  readonly client: Client;
  call(tool: string, given?: Record<string, unknown>): Promise<ToolOutcome>;
}

const resultSchema = z.object({
  isError: z.boolean().optional(),
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
});

/** Connects an agent with a token to a server. */
export async function connectAgent(serverUrl: string, token: string): Promise<TestAgent> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(MCP_PATH, serverUrl), { requestInit }));
  await client.listTools();
  return {
    client,
    async call(name, given = {}) {
      const result = resultSchema.parse(await client.callTool({ name, arguments: given }));
      const text = result.content[0]?.text ?? '';
      return { refused: result.isError === true, text, data: result.structuredContent ?? {} };
    },
  };
}
