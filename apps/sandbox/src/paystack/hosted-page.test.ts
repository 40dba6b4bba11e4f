import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../sandbox.ts';
import { at, call, openPaystack, paystackKey, quickSandbox, submit } from '../testing/harness.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await quickSandbox();
});
afterAll(() => sandbox.close());

const verify = (reference: string) => call('GET', `${sandbox.gateways.paystack}/transaction/verify/${reference}`, paystackKey);

describe('the hosted page', () => {
  const callback = 'https://shop.example/back?keep=1#part';
  const success = { number: '4084 0840 8408 4081', expiry: '12/30', cvv: '408' };

  it('sends the customer back with both parameters after a card without challenge', async () => {
    const url = await openPaystack(sandbox, { reference: 'card-1', callback_url: callback });
    const answer = await submit(`${url}/card`, success);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('https://shop.example/back?keep=1&trxref=card-1&reference=card-1#part');
  });

  it('is marked as a test, shows the amount and offers each documented card', async () => {
    const page = (await call('GET', await openPaystack(sandbox, { amount: 123_450 }))).text;
    expect(page).toContain('TEST');
    expect(page).toContain('Pay NGN 1,234.50');
    for (const card of ['4084084084084081', '4084080000005408', '4084080000670037', '5060666666666666666']) {
      expect(page).toContain(`data-number="${card}"`);
    }
  });

  it('leads who loads the answer to a form again back to the page', async () => {
    const url = await openPaystack(sandbox, { reference: 'reload' });
    expect((await submit(`${url}/card`, {})).status).toBe(422);
    const again = await fetch(`${url}/card`, { redirect: 'manual' });
    expect(again.headers.get('location')).toBe(new URL(url).pathname);
    expect((await fetch(`${url}x/card`)).status).toBe(404);
  });

  it('lets a declined customer try again on the same page, failed until then', async () => {
    const url = await openPaystack(sandbox, { reference: 'again', callback_url: callback });
    const declined = await submit(`${url}/card`, { number: '4084080000005408', expiry: '12/30', cvv: '001' });
    expect(declined.headers.get('location')).toMatch(/^\/paystack\/checkout\//);
    expect((await call('GET', url)).text).toContain('Payment failed: Declined');
    expect(at((await verify('again')).body, 'data')).toMatchObject({
      status: 'failed',
      gateway_response: 'Declined',
      message: 'Declined',
    });
    await submit(`${url}/card`, success);
    expect(at((await verify('again')).body, 'data')).toMatchObject({ status: 'success', log: { attempts: 2, errors: 1 } });
  });

  it('asks for PIN and one-time code, ongoing meanwhile', async () => {
    const url = await openPaystack(sandbox, { reference: 'steps', callback_url: callback });
    await submit(`${url}/card`, { number: '5060666666666666666', expiry: '12/30', cvv: '123' });
    expect((await call('GET', url)).text).toContain('<label for="pin">PIN</label>');
    await submit(`${url}/step`, { pin: '1234' });
    expect(at((await verify('steps')).body, 'data', 'status')).toBe('ongoing');
    expect((await submit(`${url}/step`, { otp: '000000' })).status).toBe(422);
    expect((await submit(`${url}/step`, { otp: '123456' })).headers.get('location')).toContain('trxref=steps');
  });

  it('fails on a wrong PIN, a wrong CVV, a card that is no test card, and a refusal at the bank', async () => {
    const attempts: [Record<string, string>, Record<string, string> | null, string][] = [
      [{ number: '507850785078507812', expiry: '12/30', cvv: '081' }, { pin: '9999' }, 'Incorrect PIN'],
      [{ ...success, cvv: '999' }, null, 'Incorrect CVV'],
      [
        { ...success, number: '4111111111111111' },
        null,
        'Declined. Please use the test card since you are doing a test transaction',
      ],
      [
        { number: '5192602720584796', expiry: '12/30', cvv: '123' },
        { decision: 'decline' },
        'Declined by the customer at the bank',
      ],
    ];
    for (const [index, [card, step, words]] of attempts.entries()) {
      const reference = `fails-${index}`;
      const url = await openPaystack(sandbox, { reference });
      await submit(`${url}/card`, card);
      if (step !== null) await submit(`${url}/step`, step);
      expect(at((await verify(reference)).body, 'data')).toMatchObject({ status: 'failed', gateway_response: words });
    }
  });

  it('shows beside each field what is wrong and keeps what was typed', async () => {
    const url = await openPaystack(sandbox, { reference: 'typed' });
    const answer = await submit(`${url}/card`, { number: '12', expiry: '01/20', cvv: 'x' });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('Enter the card number: 12 to 19 digits.');
    expect(answer.text).toContain('This card has expired.');
    expect(answer.text).toContain('value="12"');
    expect(at((await verify('typed')).body, 'data', 'status')).toBe('abandoned');
  });

  it('sends a transfer of another amount back, and takes the right one', async () => {
    const url = await openPaystack(sandbox, { reference: 'short', callback_url: callback });
    expect((await submit(`${url}/transfer`, { amount: '0' })).status).toBe(422);
    const wrong = await submit(`${url}/transfer`, { amount: '999.50' });
    expect([wrong.status, wrong.text.includes('NGN 999.50 goes back to your bank')]).toEqual([422, true]);
    expect(at((await verify('short')).body, 'data', 'status')).toBe('abandoned');
    await submit(`${url}/transfer`, { amount: '1000' });
    expect(at((await verify('short')).body, 'data')).toMatchObject({
      status: 'success',
      amount: 100_000,
      requested_amount: 100_000,
      channel: 'bank_transfer',
    });
  });

  it('cancels to cancel_action, or back with the parameters, and stays payable', async () => {
    const plain = await openPaystack(sandbox, { reference: 'cancel-1', callback_url: callback });
    expect((await submit(`${plain}/cancel`, {})).headers.get('location')).toContain('trxref=cancel-1&reference=cancel-1');
    const metadata = JSON.stringify({ cancel_action: 'https://shop.example/cart' });
    const named = await openPaystack(sandbox, { reference: 'cancel-2', callback_url: callback, metadata });
    expect((await submit(`${named}/cancel`, {})).headers.get('location')).toBe('https://shop.example/cart');
    expect(at((await verify('cancel-2')).body, 'data', 'status')).toBe('abandoned');
    expect((await submit(`${named}/card`, success)).headers.get('location')).toContain('reference=cancel-2');
  });

  it('shows a final page when there is no return address, and cannot be paid twice', async () => {
    const url = await openPaystack(sandbox, { reference: 'no-callback' });
    expect((await submit(`${url}/card`, success)).headers.get('location')).toBe(new URL(url).pathname);
    expect((await call('GET', url)).text).toContain('Payment successful');
    expect((await submit(`${url}/card`, success)).status).toBe(422);
    expect(at((await verify('no-callback')).body, 'data', 'log', 'attempts')).toBe(1);
  });

  it('shows what the merchant sent as text, never as markup', async () => {
    const url = await openPaystack(sandbox, { first_name: '<script>alert(1)</script>' });
    expect((await call('GET', url)).text).toContain('&lt;script&gt;alert(1)');
  });

  it('offers only the channels asked for', async () => {
    const page = (await call('GET', await openPaystack(sandbox, { channels: ['bank_transfer'] }))).text;
    expect(page).toContain('Amount to send');
    expect(page).not.toContain('Card number');
  });
});
