import { processSwitchyard } from '@switchyard/api/process';
import { handleStaffAuth } from '@switchyard/api/staff';

export const dynamic = 'force-dynamic';

const handle = (request: Request) => handleStaffAuth(processSwitchyard(), request);

export { handle as GET, handle as POST };
