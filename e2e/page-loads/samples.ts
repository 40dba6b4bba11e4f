import type { Browser, BrowserContextOptions } from '@playwright/test';
import { z } from 'zod';
import type { Demo } from '../journeys/fixtures/demo.ts';

type Cookies = Exclude<NonNullable<BrowserContextOptions['storageState']>, string>;

/** Signs in as the demo's owner. Returns the cookies that every load begins with. */
export async function signIn(browser: Browser, demo: Demo): Promise<Cookies> {
  const context = await browser.newContext();
  const answer = await context.request.post(`${demo.webUrl}/api/auth/sign-in/email`, {
    data: { email: demo.staffEmail, password: demo.staffPassword },
    headers: { origin: new URL(demo.webUrl).origin },
  });
  if (!answer.ok()) throw new Error(`sign-in: ${answer.status()}`);
  const cookies = await context.storageState();
  await context.close();
  return cookies;
}

/** The objects that pages with an id in their address are opened with. */
export interface Samples {
  readonly merchantId: string;
  /** A page's address with the samples' ids in its brackets. */
  fill(route: string): string;
}

/** Finds a merchant with payments and one object of each kind that has a page of its own; makes what there is none of. */
export async function makeSamples(browser: Browser, demo: Demo, cookies: Cookies): Promise<Samples> {
  const context = await browser.newContext({ storageState: cookies });
  const headers = { origin: new URL(demo.webUrl).origin };

  async function answer<T>(send: Promise<{ ok(): boolean; status(): number; json(): Promise<unknown> }>, data: z.ZodType<T>) {
    const response = await send;
    if (!response.ok()) throw new Error(`the samples could not be made: ${response.status()}`);
    return z.object({ result: z.object({ data: z.object({ json: data }) }) }).parse(await response.json()).result.data.json;
  }
  const read = <T>(procedure: string, input: object, data: z.ZodType<T>) =>
    answer(
      context.request.get(`${demo.webUrl}/api/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify({ json: input }))}`),
      data,
    );
  const write = <T>(procedure: string, input: object, data: z.ZodType<T>) =>
    answer(context.request.post(`${demo.webUrl}/api/trpc/${procedure}`, { data: { json: input }, headers }), data);

  const payments = z.object({ items: z.array(z.object({ paymentId: z.string(), merchantId: z.string() })) });
  const { items } = await read('payments.list', { mode: 'test', limit: 20 }, payments);
  const [payment] = items;
  if (payment === undefined) throw new Error('the product holds no payment in test mode: start it with its demo data');
  const { paymentId, merchantId } = payment;
  const scope = { merchantId, mode: 'test' };
  const { draft } = await write(
    'routing.drafts.create',
    { ...scope, from: { kind: 'published' }, name: 'Page loads' },
    z.object({ draft: z.object({ draftId: z.string() }) }),
  );
  const { endpointId } = await write(
    'webhooks.create',
    { ...scope, url: 'https://merchant.example/events', types: [], description: 'Page loads' },
    z.object({ endpointId: z.string() }),
  );
  await context.close();
  const ids: Readonly<Record<string, string>> = { paymentId, merchantId, draftId: draft.draftId, endpointId };
  return {
    merchantId,
    fill: (route) =>
      route.replace(/\[(\w+)\]/g, (_, name: string) => {
        const id = ids[name];
        if (id === undefined) throw new Error(`nothing to show on ${route}: make a sample of ${name}`);
        return id;
      }),
  };
}
