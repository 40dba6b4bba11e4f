import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeCertificate, openReceiver, type Receiver } from '../testing/webhooks.ts';
import { openSender, type Sender } from './send.ts';

let receiver: Receiver;
const open: Sender[] = [];

beforeAll(async () => {
  receiver = await openReceiver();
});
afterAll(() => receiver.close());
beforeEach(() => {
  receiver.received.length = 0;
  receiver.connections = 0;
  receiver.answer = (_received, response) => void response.end('ok');
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((sender) => sender.close()));
});

function sender(options: Parameters<typeof openSender>[0] = {}): Sender {
  const made = openSender(options);
  open.push(made);
  return made;
}

const message = { headers: { 'content-type': 'application/json', 'webhook-id': 'evt' }, body: '{"ä":1}' };
const post = (url: string, options?: Parameters<typeof openSender>[0], mode: 'test' | 'live' = 'test') =>
  sender(options).send({ ...message, mode, url });

test('posts the body byte for byte with its headers, query included', async () => {
  expect(await post(`${receiver.url}/hooks?a=1`)).toEqual({ kind: 'answered', status: 200, answer: 'ok', retryAfterMs: null });
  expect(receiver.received).toMatchObject([{ path: '/hooks?a=1', body: message.body, headers: message.headers }]);
});

test.each([
  ['30', 30_000],
  ['0', 0],
  ['999999999', 3_600_000],
  ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
  ['soon', null],
  ['-1', null],
])('reads Retry-After: %s', async (header, retryAfterMs) => {
  receiver.answer = (_received, response) => void response.writeHead(503, { 'retry-after': header }).end();
  expect(await post(receiver.url)).toMatchObject({ kind: 'answered', status: 503, retryAfterMs });
});

test('reads Retry-After as a date, from now', async () => {
  const begin = Date.now();
  const at = Math.ceil(begin / 1_000) * 1_000 + 600_000;
  receiver.answer = (_received, response) => void response.writeHead(429, { 'retry-after': new Date(at).toUTCString() }).end();
  const sent = await post(receiver.url);
  const waitMs = sent.kind === 'answered' ? (sent.retryAfterMs ?? 0) : 0;
  expect(waitMs).toBeGreaterThanOrEqual(at - Date.now());
  expect(waitMs).toBeLessThanOrEqual(at - begin);
});

test.each([301, 302, 307, 308])('a %i is a response and is not followed', async (status) => {
  const elsewhere = await openReceiver();
  receiver.answer = (_received, response) => void response.writeHead(status, { location: elsewhere.url }).end();
  expect(await post(receiver.url)).toMatchObject({ kind: 'answered', status });
  expect(elsewhere.connections).toBe(0);
  await elsewhere.close();
});

describe('answers', () => {
  test('without end are read up to 64 KiB, and stored up to 2 KiB', async () => {
    let written = 0;
    let closed = false;
    receiver.answer = (_received, response) => {
      response.on('close', () => {
        closed = true;
      });
      const flood = () => {
        while (!closed && response.write('ä'.repeat(8_192))) written += 16_384;
        if (!closed) response.once('drain', flood);
      };
      flood();
    };
    const sent = await post(receiver.url);
    expect(sent).toMatchObject({ kind: 'answered', status: 200 });
    expect(sent.kind === 'answered' && sent.answer).toBe('ä'.repeat(1_024));
    await expect.poll(() => closed).toBe(true);
    // Plus the buffers of the sockets.
    expect(written).toBeLessThan(16 * 1_048_576);
  });

  test('that are not text are stored as valid text', async () => {
    receiver.answer = (_received, response) => void response.end(Buffer.from([0xff, 0x00, 0x41]));
    expect(await post(receiver.url)).toEqual({ kind: 'answered', status: 200, answer: '�A', retryAfterMs: null });
  });

  test('hold no secret and no card number, nor a part of one where they are cut', async () => {
    const secret = 'whsec_0123456789abcdefghijklmnopqrstuv';
    const card = '4084084084084081';
    const answers = [
      `you sent ${secret} ${Buffer.from(`by ${secret}`).toString('base64')} for ${card}`,
      JSON.stringify({ given: secret, card: { number: card, cvv: '408' }, query: encodeURIComponent(`card ${card}`) }),
      `${'.'.repeat(2_030)} ${secret}`,
      `${'.'.repeat(2_040)} ${card}`,
    ];
    for (const text of answers) {
      receiver.answer = (_received, response) => void response.end(text);
      const sent = await sender().send({ ...message, mode: 'test', url: receiver.url, secrets: [secret] });
      if (sent.kind !== 'answered') throw new Error(sent.failure);
      expect(sent.answer).toMatch(/\[red/);
      expect(Buffer.byteLength(sent.answer)).toBeLessThanOrEqual(2_048);
      for (const leaked of [secret.slice(0, 8), Buffer.from(secret.slice(3, 12)).toString('base64'), card.slice(0, 6), '"408"']) {
        expect(sent.answer).not.toContain(leaked);
      }
    }
  });

  test('whose body never ends count by their status', async () => {
    receiver.answer = (_received, response) => void response.write('half');
    // Enough for the status to arrive on a busy machine.
    expect(await post(receiver.url, { timeoutMs: 1_500 })).toEqual({
      kind: 'answered',
      status: 200,
      answer: 'half',
      retryAfterMs: null,
    });
  });
});

describe('no answer', () => {
  test('in time', async () => {
    receiver.answer = () => undefined;
    expect(await post(receiver.url, { timeoutMs: 300 })).toEqual({ kind: 'unanswered', failure: 'timeout' });
  });

  test('in 15 seconds, as the documentation for merchants says', async () => {
    const deadline = vi
      .spyOn(AbortSignal, 'timeout')
      .mockReturnValueOnce(AbortSignal.abort(new DOMException('', 'TimeoutError')));
    receiver.answer = () => undefined;
    expect(await post(receiver.url)).toEqual({ kind: 'unanswered', failure: 'timeout' });
    expect(deadline.mock.calls).toEqual([[15_000]]);
    deadline.mockRestore();
  });

  test('on a closed port', async () => {
    const gone = await openReceiver();
    await gone.close();
    expect(await post(gone.url)).toEqual({ kind: 'unanswered', failure: 'unreachable' });
  });

  test('for an unknown name', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    expect(await post('http://shop.example', { resolve })).toEqual({ kind: 'unanswered', failure: 'unknown_host' });
  });

  test('that is HTTP, or before the connection went', async () => {
    const server = createServer((socket) => void socket.once('data', () => socket.end('220 mail ready\r\n')));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    expect(await post(`http://127.0.0.1:${port}`)).toEqual({ kind: 'unanswered', failure: 'malformed_answer' });
    server.close();
    receiver.answer = (_received, response) => void response.destroy();
    expect(await post(receiver.url)).toEqual({ kind: 'unanswered', failure: 'connection_lost' });
  });

  test('over HTTPS with an invalid certificate', async () => {
    const failed = await post(receiver.url.replace('http:', 'https:'));
    expect(failed).toEqual({ kind: 'unanswered', failure: 'certificate' });
  });
});

describe.each([
  { mode: 'live', setting: 'allow' },
  { mode: 'test', setting: '' },
] as const)('in $mode mode with the setting "$setting" there is no connection to', ({ mode, setting }) => {
  beforeEach(() => void vi.stubEnv('SWITCHYARD_PRIVATE_ADDRESSES', setting));
  afterEach(() => void vi.unstubAllEnvs());
  const refused = { kind: 'unanswered', failure: 'address_refused' };

  test.each([
    '127.0.0.1',
    '2130706433',
    '0177.0.0.1',
    '0x7f.1',
    '127.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
    '169.254.169.254',
  ])('that stands in the address itself: %s', async (host) => {
    expect(await post(`http://${host}:${receiver.port}/`, {}, mode)).toEqual(refused);
    expect(receiver.connections).toBe(0);
  });

  test.each([
    [['127.0.0.1']],
    [['8.8.8.8', '127.0.0.1']],
    [['127.0.0.1', '8.8.8.8']],
    [['::1']],
    [['::ffff:127.0.0.1']],
    [['64:ff9b::7f00:1']],
    [['10.1.2.3']],
    [[]],
  ])('whose name resolves to %j', async (addresses) => {
    const resolve = async () => addresses;
    expect(await post(`http://shop.example:${receiver.port}/`, { resolve }, mode)).toEqual(refused);
    expect(receiver.connections).toBe(0);
  });
});

test.each([[['169.254.169.254']], [['fe80::1']], [['fd00:ec2::254']], [['127.0.0.1', '169.254.169.254']]])(
  'there is no connection in any mode to a name that resolves to %j',
  async (addresses) => {
    const refused = { kind: 'unanswered', failure: 'address_refused' };
    expect(await post(`http://shop.example:${receiver.port}/`, { resolve: async () => addresses })).toEqual(refused);
    expect(receiver.connections).toBe(0);
  },
);

test('a connection goes to the address that was checked, and the name is not resolved a second time', async () => {
  let lookups = 0;
  const resolve = async () => {
    lookups++;
    return lookups === 1 ? ['127.0.0.1'] : ['192.0.2.1'];
  };
  expect(await post(`http://shop.example:${receiver.port}/`, { resolve })).toMatchObject({ status: 200 });
  expect(lookups).toBe(1);
  expect(receiver.received[0]?.headers.host).toBe(`shop.example:${receiver.port}`);
});

describe('the expiry of a certificate', () => {
  test('is that of the latest connection, of each host and mode by itself', async () => {
    const [old, renewed] = [await makeCertificate(2), await makeCertificate(60)];
    const secure = await openReceiver(undefined, old);
    const made = sender();
    const sent = () => made.send({ ...message, mode: 'test', url: `${secure.url}/hooks` });
    expect(made.certificateExpiry(secure.url, 'test')).toBeNull();
    expect(await sent()).toMatchObject({ status: 200 });
    expect(made.certificateExpiry(`${secure.url}/other`, 'test')).toEqual(old.expiresAt);
    expect(made.certificateExpiry(secure.url, 'live')).toBeNull();
    secure.renew(renewed);
    // From the first request on that finds the old connection closed.
    const expiry = async () => {
      await sent();
      return made.certificateExpiry(secure.url, 'test');
    };
    await expect.poll(expiry).toEqual(renewed.expiresAt);
    await secure.close();
  });

  test('is unknown without one', async () => {
    const made = sender();
    await made.send({ ...message, mode: 'test', url: receiver.url });
    expect(made.certificateExpiry(receiver.url, 'test')).toBeNull();
  });
});
