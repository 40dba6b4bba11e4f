import { type NextRequest, NextResponse } from 'next/server';
import { viewerZone } from '#/format/zone.ts';
import { MODE_COOKIE } from '#/scope/scope.ts';
import { pageQueries, serverTrpc } from '#/trpc/server.tsx';

export const dynamic = 'force-dynamic';

/**
 * Redirects an address of a payment that names no mode to the one with the payment's mode, before anything of the page is sent: a page
 * that has begun would be loaded twice. Where the viewer cannot see the payment, the page says so itself.
 */
export async function GET(request: NextRequest, { params }: { params: Promise<{ paymentId: string }> }): Promise<NextResponse> {
  const { paymentId } = await params;
  const found = await pageQueries()
    .fetchQuery(serverTrpc().payments.byId.queryOptions({ paymentId, zone: viewerZone() }))
    .catch(() => null);
  const lastChosen = request.cookies.get(MODE_COOKIE)?.value === 'live' ? 'live' : 'test';
  const search = new URLSearchParams(request.nextUrl.search);
  search.set('mode', found?.mode ?? lastChosen);
  return new NextResponse(null, { status: 307, headers: { location: `/payments/${paymentId}?${search}` } });
}
