import { describeGatewayContract } from '../testing/contract.ts';
import { flutterwaveScript } from './fixtures/script.ts';
import { flutterwave } from './flutterwave.ts';

describeGatewayContract(flutterwave, flutterwaveScript);
