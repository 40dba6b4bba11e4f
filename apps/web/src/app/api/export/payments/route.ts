import { processSwitchyard } from '@switchyard/api/process';
import { exportPaymentList } from '@switchyard/api/staff';

export const dynamic = 'force-dynamic';

export const GET = (request: Request) => exportPaymentList(processSwitchyard(), request);
