import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clientConfiguration } from './client-setup.tsx';

const DOCUMENTATION = readFileSync(join(import.meta.dirname, '../../../../../../../../docs/mcp.md'), 'utf8');

test.each([
  ['http', '<token>'],
  ['vs-code', '<token>'],
  ['command', '<token>'],
] as const)('the configuration of %s is the documented one', (client, token) => {
  expect(DOCUMENTATION).toContain(`\n${clientConfiguration(client, 'https://pay.example.com', token)}\n\`\`\``);
});

test.each(['http', 'vs-code', 'command'] as const)('the configuration of %s is a JSON file', (client) => {
  expect(() => JSON.parse(clientConfiguration(client, 'https://pay.example.com/switch', 'agt_1'))).not.toThrow();
});

test('the file of VS Code, which teams share, does not hold the token', () => {
  expect(clientConfiguration('vs-code', 'https://pay.example.com', 'agt_secret')).not.toContain('agt_secret');
});
