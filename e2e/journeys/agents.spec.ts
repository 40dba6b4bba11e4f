import { z } from 'zod';
import { expectAccessible } from './fixtures/overlays.ts';
import { signInAsOwner } from './fixtures/staff.ts';
import { demo, expect, test } from './fixtures/test.ts';

const toolList = z.object({ result: z.object({ tools: z.array(z.object({ name: z.string() })) }) });
const toolAnswer = z.object({ result: z.object({ structuredContent: z.unknown() }) });

/** Sends one request of the Model Context Protocol; the status, and the message of the answer. */
async function askWith(token: string, method: string, params: object = {}) {
  const response = await fetch(`${demo.webUrl}/api/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(30_000),
  });
  const message: unknown = await response.json();
  return { status: response.status, message };
}

test('staff create a token for an agent, which reads as them until they revoke it', async ({ page }) => {
  const name = `Journey ${crypto.randomUUID().slice(0, 8)}`;
  await signInAsOwner(page);
  await page.goto('/developers?mode=test');
  await page.getByRole('link', { name: 'Machine tokens' }).click();
  await page.getByRole('button', { name: 'Create token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await expect(dialog).toContainText('Must not be empty');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('checkbox', { name: /^Read as an agent/ }).check();
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const token = (await dialog.getByRole('region', { name: 'the token', exact: true }).textContent()) ?? '';
  expect(token).toMatch(/^agt_/);
  const configuration = dialog.getByRole('region', { name: 'The configuration of the client' });
  await expect(configuration).toContainText(`"url": "${demo.webUrl}/api/mcp"`);
  await expect(configuration).toContainText(`"Authorization": "Bearer ${token}"`);
  await expect(dialog.getByRole('button', { name: 'Copy the command' })).toBeInViewport({ ratio: 1 });
  await dialog.getByRole('radio', { name: 'VS Code' }).click();
  await expect(configuration).not.toContainText(token);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  await expect(dialog).toBeHidden();
  const row = page.getByRole('row').filter({ hasText: name });
  await expect(row).toContainText('Agent: reads');
  await expect(row).toContainText('Active');
  expect(await page.content()).not.toContain(token);

  const listed = await askWith(token, 'tools/list');
  expect(listed.status).toBe(200);
  expect(toolList.parse(listed.message).result.tools.map((tool) => tool.name)).toContain('explain_payment');
  const known = await askWith(token, 'tools/call', { name: 'whoami', arguments: {} });
  const { structuredContent } = toolAnswer.parse(known.message).result;
  expect(JSON.stringify(structuredContent)).toContain(demo.staffEmail);

  await row.getByRole('button', { name: `Revoke ${name}` }).click();
  await expect(dialog).toContainText(/has never been used|was last used/);
  await dialog.getByRole('button', { name: `Revoke “${name}”` }).click();
  await expect(page.getByText(`Token “${name}” was revoked.`)).toBeVisible();
  expect((await askWith(token, 'tools/list')).status).toBe(401);
  await expect(row).toHaveCount(0);
});
