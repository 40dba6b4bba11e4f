import { processSwitchyard } from '#/server/native/process.ts';
import { handleTrpc } from '#/server/native/trpc.ts';

export const dynamic = 'force-dynamic';

const handle = (request: Request) => handleTrpc(processSwitchyard(), request);

export { handle as GET, handle as POST };
