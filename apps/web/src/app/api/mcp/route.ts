import { handleMcp } from '#/server/native/mcp.ts';
import { processSwitchyard } from '#/server/native/process.ts';
import { forwardToReporting } from '#/server/reporting.ts';

export const dynamic = 'force-dynamic';

const handle = (request: Request) => handleMcp(processSwitchyard(), request, forwardToReporting);

export { handle as DELETE, handle as GET, handle as POST };
