import { describeGatewayContract } from '../testing/contract.ts';
import { paystackScript } from './fixtures/script.ts';
import { paystack } from './paystack.ts';

describeGatewayContract(paystack, paystackScript);
