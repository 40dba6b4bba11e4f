import { describe, expect, it } from 'vitest';
import { flutterwaveScript } from './flutterwave/fixtures/script.ts';
import type { AccountAccess } from './gateway.ts';
import { interswitchScript } from './interswitch/fixtures/script.ts';
import { koraScript } from './kora/fixtures/script.ts';
import { monnifyScript } from './monnify/fixtures/script.ts';
import { type GatewayName, gatewayNames } from './names.ts';
import { paystackScript } from './paystack/fixtures/script.ts';
import { findGateway } from './registry.ts';
import { squadScript } from './squad/fixtures/script.ts';
import { delivered, type GatewayScript, reference, transactionId } from './testing/script.ts';

const SCRIPTS: Readonly<Record<GatewayName, GatewayScript>> = {
  paystack: paystackScript,
  flutterwave: flutterwaveScript,
  monnify: monnifyScript,
  squad: squadScript,
  kora: koraScript,
  interswitch: interswitchScript,
};

function accessOf(name: GatewayName): AccountAccess {
  return { accountId: `acc-${name}`, mode: 'test', credentials: SCRIPTS[name].credentials.test, baseUrl: null };
}

function read(name: GatewayName, body: string, headers: Readonly<Record<string, string>>) {
  const gateway = findGateway(name);
  if (gateway === null) throw new Error(`there is no gateway ${name}`);
  return gateway.readWebhook(accessOf(name), delivered(body, headers));
}

const PAIRS = gatewayNames.flatMap((from) => gatewayNames.filter((at) => at !== from).map((at) => [from, at] as const));

describe.each(PAIRS)('a webhook signed by %s and delivered to %s', (from, at) => {
  const theirs = SCRIPTS[from];
  const ours = SCRIPTS[at];

  it('is refused, with its own body and with ours, under every header that ours could be in', () => {
    for (const script of [theirs, ours]) {
      const body = script.paymentNotice({ reference, id: transactionId });
      const headers = theirs.sign(body, theirs.credentials.test);
      const signature = headers[theirs.signatureHeader] ?? '';
      for (const given of [headers, { ...headers, [ours.signatureHeader]: signature }, { [ours.signatureHeader]: signature }]) {
        expect(read(at, body, given).kind).toBe('refused');
      }
    }
  });
});

describe.each(gatewayNames)('a webhook of %s', (name) => {
  const script = SCRIPTS[name];
  const body = script.paymentNotice({ reference, id: transactionId });

  it('reads the same a hundred times, so that its replays are known as such', () => {
    const headers = script.sign(body, script.credentials.test);
    const first = read(name, body, headers);
    expect(first.kind).toBe('payment');
    for (let replay = 0; replay < 100; replay++) expect(read(name, body, headers)).toEqual(first);
  });

  it('signed with the credentials of live mode is refused in test mode', () => {
    const { test: inTest, live } = script.credentials;
    if (JSON.stringify(inTest) === JSON.stringify(live)) return;
    expect(read(name, body, script.sign(body, live)).kind).toBe('refused');
  });
});
