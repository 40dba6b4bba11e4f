export { endOverride } from './end-override.ts';
export { PUT_BACK_AFTER_MS, putBackRecovered } from './put-back-recovered.ts';
export { drainGateway, setOverride } from './set-override.ts';
