/**
 * A shop that sells one thing: everything a merchant's server does with Switchyard, in one file. It takes the order, sends the customer to
 * the checkout, verifies when the customer is back, and hears by webhook of customers who never come back.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Switchyard, SwitchyardApiError, SwitchyardIdError, SwitchyardSignatureError } from '@switchyard/client';

/** Dependencies of the shop: a client, and the signing secret of its webhook endpoint, `/webhooks`. */
export interface ShopOptions {
  readonly switchyard: Switchyard;
  readonly webhookSecret: () => string;
}

/** An order; a real shop keeps it in its database. */
interface Order {
  readonly id: string;
  paymentId: string | null;
  isPaid: boolean;
}

const PRICE_NAIRA = 2_500;
const BODY_MAX_BYTES = 65_536;

/** Makes the shop's server; it listens nowhere yet. */
export function createShop({ switchyard, webhookSecret }: ShopOptions): Server {
  const orders = new Map<string, Order>();

  async function buy(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const order: Order = { id: `ORD-${randomUUID()}`, paymentId: null, isPaid: false };
    orders.set(order.id, order);
    const payment = await switchyard.payments.initiate({
      merchantOrderId: order.id,
      amount: PRICE_NAIRA,
      currency: 'NGN',
      customer: { email: 'ada@example.com' },
      redirectUrl: `http://${request.headers.host}/thanks`,
    });
    order.paymentId = payment.paymentId;
    const { session } = payment.recommendedGateway;
    if (session === null) return show(response, 502, 'No gateway takes payments just now. Please try again in a minute.');
    response.writeHead(303, { location: session.redirectUrl }).end();
  }

  /** The customer is back. What the address says proves nothing: ask. */
  async function thank(paymentId: string, response: ServerResponse): Promise<void> {
    const { data } = await switchyard.payments.verify(paymentId);
    if (data.status !== 'SUCCESS') return show(response, 200, 'Your payment has not arrived yet. We write to you when it does.');
    markPaid(data.merchantOrderId, data.amount);
    show(response, 200, `Thank you, your order ${data.merchantOrderId} is paid.`);
  }

  /** Answers quickly, and the same however often an event arrives. */
  async function hear(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const event = switchyard.webhooks.verify(await readBody(request), request.headers, webhookSecret());
    if (event.type === 'payment.succeeded') markPaid(event.data.merchantOrderId, event.data.amount);
    response.writeHead(204).end();
  }

  function markPaid(orderId: string, amountNaira: number): void {
    const order = orders.get(orderId);
    if (order !== undefined && amountNaira === PRICE_NAIRA) order.isPaid = true;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://shop');
    switch (`${request.method} ${url.pathname}`) {
      case 'GET /':
        return show(response, 200, '<form method="post" action="/buy"><button>Buy for ₦2,500</button></form>');
      case 'POST /buy':
        return buy(request, response);
      case 'GET /thanks':
        return thank(url.searchParams.get('paymentId') ?? '', response);
      case 'POST /webhooks':
        return hear(request, response);
      case 'GET /orders':
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify([...orders.values()]));
        return;
      default:
        return show(response, 404, 'There is nothing here.');
    }
  }

  return createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (error instanceof SwitchyardSignatureError) return show(response, 400, error.message);
      if (error instanceof SwitchyardIdError) return show(response, 404, 'There is no such order.');
      if (error instanceof SwitchyardApiError && error.statusCode === 404) return show(response, 404, 'There is no such order.');
      if (error instanceof SwitchyardApiError && error.statusCode === 409)
        return show(response, 409, 'This order is being paid.');
      console.error(error);
      show(response, 500, 'Something went wrong.');
    });
  });
}

function show(response: ServerResponse, status: number, content: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
  response.end(`<!doctype html><html lang="en"><title>Shop</title><main>${content}</main></html>`);
}

async function readBody(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > BODY_MAX_BYTES) throw new Error('The webhook is too large');
    chunks.push(part);
  }
  return Buffer.concat(chunks);
}
