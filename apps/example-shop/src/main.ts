/**
 * Runs the example shop: `SWITCHYARD_URL=… SWITCHYARD_API_KEY=sk_test_… WEBHOOK_SECRET=whsec_… npm run example-shop`, which runs it on the Node
 * that comes with the packages, whatever the machine's own is, from Node 20 on.
 */
import { createSwitchyard } from '@switchyard/client';
import { createShop } from './shop.ts';

const { SWITCHYARD_URL = 'http://localhost:3000', SWITCHYARD_API_KEY = '', WEBHOOK_SECRET = '', PORT = '4020' } = process.env;
const switchyard = createSwitchyard({ baseUrl: SWITCHYARD_URL, apiKey: SWITCHYARD_API_KEY });
createShop({ switchyard, webhookSecret: () => WEBHOOK_SECRET }).listen(Number(PORT), '127.0.0.1', () => {
  console.log(`The shop is at http://127.0.0.1:${PORT}`);
});
