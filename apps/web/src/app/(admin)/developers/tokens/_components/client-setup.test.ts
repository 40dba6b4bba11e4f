import { expect, test } from 'vitest';
import { clientConfiguration } from './client-setup.tsx';

const URL = 'https://pay.example.com/switch';
const AUTHORIZATION = 'Bearer agt_1';
const address = `${URL}/api/mcp`;

test.each([
  ['http', { mcpServers: { switchyard: { type: 'http', url: address, headers: { Authorization: AUTHORIZATION } } } }],
  ['vs-code', { servers: { switchyard: { type: 'http', url: address } } }],
  [
    'command',
    { mcpServers: { switchyard: { args: expect.arrayContaining(['mcp-remote', address]), env: { AUTH: AUTHORIZATION } } } },
  ],
] as const)('the configuration of %s is JSON that names the server', (client, expected) => {
  expect(JSON.parse(clientConfiguration(client, URL, 'agt_1'))).toMatchObject(expected);
});

test('the file of VS Code, which teams share, does not hold the token', () => {
  expect(clientConfiguration('vs-code', 'https://pay.example.com', 'agt_secret')).not.toContain('agt_secret');
});
