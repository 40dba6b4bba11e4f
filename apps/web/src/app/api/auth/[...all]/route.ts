import { processSwitchyard } from '#/server/native/process.ts';
import { handleStaffAuth } from '#/server/native/staff.ts';

export const dynamic = 'force-dynamic';

const handle = (request: Request) => handleStaffAuth(processSwitchyard(), request);

export { handle as GET, handle as POST };
