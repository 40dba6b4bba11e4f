import { handleAuth } from '#/server/native/auth.ts';
import { processSwitchyard } from '#/server/native/process.ts';

export const dynamic = 'force-dynamic';

const handle = (request: Request) => handleAuth(processSwitchyard(), request);

export { handle as GET, handle as POST };
