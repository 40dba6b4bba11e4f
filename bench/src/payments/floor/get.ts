import { type Answer, database, refuse, settings } from './connections.ts';

const GET = `
SELECT id, merchant_order_id, status, amount, currency, recommended_gateway, session, fallback_gateways, routing, created_at, updated_at
FROM floor.payment WHERE merchant_id = $1 AND id = $2`;

export async function get(id: string): Promise<Answer> {
  const { rows } = await database.query({ name: 'get', text: GET, values: [settings.merchantId, id] });
  const [row] = rows;
  if (row === undefined) return refuse(404, 'Payment not found');
  const data = {
    paymentId: row.id,
    merchantOrderId: row.merchant_order_id,
    status: row.status,
    executionStatus: 'processing',
    currency: row.currency,
    amount: Number(row.amount),
    recommendedGateway: { name: row.recommended_gateway, session: row.session },
    fallbackGateways: row.fallback_gateways,
    routing: row.routing,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
  return { status: 200, body: { status: true, statusCode: 200, message: 'Payment retrieved', data } };
}
