import { processSwitchyard } from '@switchyard/api/process';
import { handleTrpc } from '@switchyard/api/trpc';

export const dynamic = 'force-dynamic';

const handle = (request: Request) => handleTrpc(processSwitchyard(), request);

export { handle as GET, handle as POST };
