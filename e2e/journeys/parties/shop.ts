import { createServer } from 'node:http';
import type { Page } from '@playwright/test';

/** The merchant's own page, to which customers come back after paying. */
export interface Shop {
  /** An address as merchants have them: with a query, a `paymentId` of its own making, and a fragment. */
  readonly redirectUrl: string;
  /** Waits until the customer's browser has arrived; gives the address it arrived at. */
  customerArrives(patience?: { readonly timeout: number }): Promise<URL>;
  /** Requests for the page so far, as path and query. */
  readonly visits: readonly string[];
  close(): Promise<void>;
}

const PAGE = '<!doctype html><html lang="en"><title>Shop</title><h1>Thank you for your order</h1></html>';

export async function openShop(page: Page): Promise<Shop> {
  const visits: string[] = [];
  const server = createServer(({ url = '/' }, response) => {
    if (!url.startsWith('/order/done')) return response.writeHead(404).end();
    visits.push(url);
    return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the shop has no port');
  const origin = `http://127.0.0.1:${address.port}`;
  return {
    redirectUrl: `${origin}/order/done?cart=7&paymentId=from-the-shop&note=two%20words#receipt`,
    visits,
    async customerArrives(patience) {
      await page.waitForURL((url) => url.origin === origin, patience);
      return new URL(page.url());
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
