import { expect, test, vi } from 'vitest';
import { drainCommands } from './drain-commands.ts';
import { findCommands } from './find-commands.ts';

const account = (id: string, more: object = {}) => ({
  id,
  label: `${id}-main`,
  gateway: id,
  merchantId: 'm-1',
  merchantName: 'Yaba Gadget Hub',
  enabled: true,
  ...more,
});
const SCOPE = { mode: 'live', merchantId: 'm-1' } as const;
const mayAll = () => true;

test('an account is found by its gateway, and its dialog opens with it', () => {
  const commands = drainCommands([account('paystack'), account('kora')], SCOPE, mayAll, () => false);
  const [found] = findCommands([{ title: 'Override', commands }], 'drain paystack');
  expect(found?.commands.map(({ label }) => label)).toEqual(['Drain paystack-main']);
  const go = vi.fn();
  found?.commands[0]?.run(Object({ go }));
  expect(go.mock.calls).toEqual([['/health', { account: 'paystack', do: 'override' }]]);
});

test('whose account it is stands beside it where all merchants are shown', () => {
  const [command] = drainCommands([account('kora')], { ...SCOPE, merchantId: null }, mayAll, () => false);
  expect(command?.label).toBe('Drain kora-main of Yaba Gadget Hub');
});

test('no account is offered that is disabled, or of a merchant for whom the person may not', () => {
  const accounts = [account('kora', { enabled: false }), account('paystack', { merchantId: 'm-2' }), account('squad')];
  const commands = drainCommands(
    accounts,
    SCOPE,
    (permission, of) => permission === 'override:set' && of === 'm-1',
    () => false,
  );
  expect(commands.map(({ label }) => label)).toEqual(['Drain squad-main']);
});

test('who may act for all merchants is offered to drain each gateway once', () => {
  const accounts = [account('paystack'), account('paystack', { id: 'other', merchantId: 'm-2' }), account('kora')];
  const commands = drainCommands(accounts, SCOPE, () => false, mayAll);
  expect(commands.map(({ label }) => label)).toEqual(['Drain Paystack for all merchants', 'Drain Kora for all merchants']);
  const go = vi.fn();
  commands[0]?.run(Object({ go }));
  expect(go.mock.calls).toEqual([['/health', { gateway: 'paystack', do: 'drain-gateway' }]]);
});
