// Written by openapi-typescript from the OpenAPI document of the REST API. To write it again after a change of the API:
// npx vitest run e2e/client/types.test.ts --update

export interface paths {
    "/v1/payments/initiate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Initiate a payment
         * @description Picks a gateway, opens a checkout there and answers the address to send the customer to. Amounts are whole naira. In test mode a field whose name is nearly one of these is refused; others that are not ours are ignored and named in `Switchyard-Ignored-Fields`.
         */
        post: operations["initiatePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payments
         * @description An extension. Newest first, a page at a time; with `merchantOrderId`, the payment that has the merchant's own reference.
         */
        get: operations["listPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{paymentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get payment details
         * @description The payment as it is recorded. Reading it asks no gateway; verify does.
         */
        get: operations["getPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{paymentId}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a payment
         * @description Asks the gateway unless the payment has succeeded already, and answers the record of its last change of status.
         */
        post: operations["verifyPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{paymentId}/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List refunds of a payment
         * @description An extension. Newest first, a page at a time.
         */
        get: operations["listRefunds"];
        put?: never;
        /**
         * Refund a payment
         * @description An extension. Records a refund, all that is left or a part, and has the gateway return the money. The answer says PENDING: the refund is followed until the gateway is done with it, and its end is sent as `refund.succeeded` or `refund.failed`. The payment becomes REFUNDED once all of it is back, which is sent as `payment.refunded` besides.
         */
        post: operations["refundPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{paymentId}/refunds/{refundId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a refund
         * @description An extension.
         */
        get: operations["getRefund"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description An extension. The records that webhook endpoints receive, newest first, a page at a time, whether or not one received them: what a merchant who was away has missed.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch events
         * @description An extension. Server-sent events: each event as it is recorded, its record as data, its id as id. After a break send the last id as `Last-Event-ID`; events of the ten seconds before it may come again. Five streams of a key at most.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description An extension, for keys of test mode. Sends the newest event of the type that a payment of test mode has had once more, under an id of its own, to every webhook endpoint of test mode that subscribes to it, and to every stream. Its payment and its refund exist. Where there has been none of the type yet, the 400 says how to have one.
         */
        post: operations["sendTestEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the routing rules
         * @description An extension. The rules in force as a file. Needs a key with the scope `rules:read`, which no key has unless it was granted.
         */
        get: operations["getRules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rules/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check routing rules
         * @description An extension. Checks a rule-set file against the merchant's accounts, as the dashboard does before rules are published. Needs `rules:read`.
         */
        post: operations["checkRules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rules/drafts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Save routing rules as a draft
         * @description An extension. Saves a rule-set file as a draft, which staff read, try and publish in the dashboard; nothing is published by a key. Needs `rules:write`, which no key has unless it was granted.
         */
        post: operations["createRuleDraft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "payment.succeeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Payment succeeded
         * @description A gateway proved that the full amount was received.
         */
        post: operations["payment.succeeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Payment failed
         * @description No gateway opened a checkout, or a gateway proved that nothing was paid.
         */
        post: operations["payment.failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.refunded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Payment refunded
         * @description Refunds have reached the full amount. Sent after the `refund.succeeded` of the refund that completed it.
         */
        post: operations["payment.refunded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.succeeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund succeeded
         * @description A gateway returned money: of the payment, all of it or a part, of a duplicate charge, or money that did not match the order. Sent once for every refund that succeeds, whoever requested it. `data.refund` is the refund.
         */
        post: operations["refund.succeeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund failed
         * @description A refund ended without money being returned. The amount can be refunded again. `data.refund` is the refund.
         */
        post: operations["refund.failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.requires_review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Payment requires review
         * @description Money was received that does not match the order, or no gateway has said for seven days whether it was paid. The payment is not a success.
         */
        post: operations["payment.requires_review"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.duplicate_charge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Duplicate charge
         * @description Money was received for a payment that had already been paid.
         */
        post: operations["payment.duplicate_charge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.reversed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Payment reversed
         * @description The gateway took money of a paid payment back: a dispute was lost (`cause` is `chargeback`), or the gateway reports its transaction as reversed. The status stays, refunds are not meant, and what is taken back cannot be refunded. `data.reversal` says how much.
         */
        post: operations["payment.reversed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.reinstated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Payment reinstated
         * @description The gateway gave back what it had taken: the payment is paid as before. `data.reversal` says how much.
         */
        post: operations["payment.reinstated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description An event record. `data` is the payment as the event left it, and `amount` is the amount of the payment. In `refund.succeeded` and `refund.failed`, `refund` is the refund that ended; such events of before it was added are without it. In `payment.reversed` and `payment.reinstated`, `reversal` is what the gateway took or gave back. */
        WebhookEvent: {
            /**
             * Format: uuid
             * @description The id of the event, and the same wherever the event is shown or sent.
             */
            id: string;
            /**
             * @description What happened.
             * @enum {string}
             */
            type: "payment.succeeded" | "payment.failed" | "payment.refunded" | "refund.succeeded" | "refund.failed" | "payment.requires_review" | "payment.duplicate_charge" | "payment.reversed" | "payment.reinstated";
            /** Format: date-time */
            createdAt: string;
            /**
             * @description The number of the merchant.
             * @example M-48213907
             */
            merchantNumber: string;
            data: {
                /**
                 * Format: uuid
                 * @description The id of the payment, made by the service.
                 */
                paymentId: string;
                /** @description The merchant's own reference, as it was sent. */
                merchantOrderId: string;
                /**
                 * @description INITIATED: recorded, no checkout yet. PENDING: the customer can pay. SUCCESS: paid. FAILED: not paid. REFUNDED: all of it was refunded.
                 * @enum {string}
                 */
                status: "INITIATED" | "PENDING" | "SUCCESS" | "FAILED" | "REFUNDED";
                /**
                 * @description processing while INITIATED or PENDING, succeeded, failed or refunded after it.
                 * @enum {string}
                 */
                executionStatus: "processing" | "succeeded" | "failed" | "refunded";
                /** @description ISO 4217 code. */
                currency: string;
                /** @description The amount of the payment, in whole main currency units. */
                amount: number;
                /** @description The reference at the gateway that took the payment; empty where none opened a checkout. */
                gatewayReference: string;
                refund?: components["schemas"]["Refund"];
                reversal?: components["schemas"]["Reversal"];
            };
        };
        Refund: {
            /**
             * Format: uuid
             * @description The id of the refund.
             */
            refundId: string;
            /**
             * Format: uuid
             * @description The id of the payment, made by the service.
             */
            paymentId: string;
            /** @description What is refunded, in whole main currency units. */
            amount: number;
            /** @description ISO 4217 code. */
            currency: string;
            /**
             * @description PENDING until the gateway is done with it; NEEDS_ATTENTION when the gateway waits for a person to help.
             * @enum {string}
             */
            status: "PENDING" | "SUCCESS" | "FAILED" | "NEEDS_ATTENTION";
            /** @description The reason that the request gave. */
            reason: string | null;
            /** @description Why it failed, or what it waits for. */
            failureReason: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        Reversal: {
            /**
             * @description What was taken back, or given back with `payment.reinstated`, in main currency units, with decimals where it has them.
             * @example 2500
             */
            amount: number;
            /** @description ISO 4217 code. */
            currency: string;
            /**
             * @description chargeback: the customer disputed the payment and won. gateway: the gateway gives no reason.
             * @enum {string}
             */
            cause: "chargeback" | "gateway";
            /**
             * @description All that is taken back of the payment after this event.
             * @example 2500
             */
            totalReversed: number;
        };
        InitiatedPayment: {
            /**
             * Format: uuid
             * @description The id of the payment, made by the service.
             */
            paymentId: string;
            /** @description The merchant's own reference, as it was sent. */
            merchantOrderId: string;
            /**
             * @description INITIATED: recorded, no checkout yet. PENDING: the customer can pay. SUCCESS: paid. FAILED: not paid. REFUNDED: all of it was refunded.
             * @enum {string}
             */
            status: "INITIATED" | "PENDING" | "SUCCESS" | "FAILED" | "REFUNDED";
            /**
             * @description processing while INITIATED or PENDING, succeeded, failed or refunded after it.
             * @enum {string}
             */
            executionStatus: "processing" | "succeeded" | "failed" | "refunded";
            /** @description ISO 4217 code. */
            currency: string;
            /** @description Whole main currency units: 2500 is ₦2,500. */
            amount: number;
            recommendedGateway: {
                /** @description The gateway whose checkout the customer gets. */
                name: string;
                session: components["schemas"]["Session"];
            };
            /** @description The planned gateways that were not needed, in the order in which they would have been tried; those that are not healthy come last. */
            fallbackGateways: components["schemas"]["FallbackGateway"][];
            routing: components["schemas"]["RoutingDecision"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @enum {string} */
            routingMode: "smart" | "requested";
            /** @description The gateway that the request named; null when it named none. */
            requestedGateway: string | null;
            /** @description Whether naming a gateway put the rules aside. */
            smartRoutingBypassed: boolean;
        };
        /** @description Null when no gateway opened a checkout. */
        Session: {
            /** @description The gateway's own answer. */
            raw: {
                [key: string]: unknown;
            };
            /** @description The gateway that opened the checkout. */
            gateway: string;
            /** @description Our reference of the attempt, which the gateway and its dashboard show. */
            reference: string;
            /** @description The gateway's access code; empty where the gateway has none. */
            accessCode: string;
            /**
             * Format: uri
             * @description Where to send the customer.
             */
            redirectUrl: string;
            metadata: {
                mode: string;
                /** Format: uuid */
                paymentId: string;
                /** Format: uuid */
                merchantId: string;
                /**
                 * Format: uri
                 * @description Where the gateway sends the customer back: to the service, which verifies.
                 */
                callbackUrl: string;
                /** @description Where the service then sends the customer, with `paymentId` added. */
                redirectUrl: string;
                merchantOrderId: string;
                /** @description Always empty. */
                referencePrefix: string;
                fallbackGateways: components["schemas"]["FallbackGateway"][];
            };
        } | null;
        FallbackGateway: {
            /** @description The gateway. */
            name: string;
            /**
             * @description Why it is planned.
             * @example plan-fallback
             */
            reason: string;
        };
        RoutingDecision: {
            /** @description Version of this record's form. */
            version: number;
            /** Format: date-time */
            decidedAt: string;
            /** @description Why this gateway, in a sentence. */
            rationale: string;
            /** @enum {string} */
            rationaleCode: "smart_routing_rule" | "default_provider_order" | "requested_gateway" | "no_eligible_provider";
            /**
             * @description Currency, method and the amount band of the rule that matched.
             * @example NGN|CARD|0-5000
             */
            contextKey: string;
            overrides: {
                provider: string;
                subproviderId: string;
                /** @enum {string} */
                action: "drain" | "disable" | "force";
                reason: string;
                actor: string;
                /** Format: date-time */
                expiresAt: string | null;
            }[];
            reasons: {
                code: string;
                title: string;
                message: string;
                /** @enum {string} */
                category: "rule" | "health" | "override" | "capability" | "fallback";
                /** @enum {string} */
                severity: "info" | "warning" | "critical";
            }[];
            candidates: {
                index: number;
                eligible: boolean;
                /** @description The gateway. */
                provider: string;
                /** @description The merchant's account at the gateway. */
                subproviderId: string;
                /** @description Null for every account that can take the payment: it is in the plan, behind the healthy ones when it is not healthy. Otherwise disabled_by_operator, disabled, method_not_supported, currency_not_supported, amount_out_of_range or not_configured. Payments routed earlier may have unhealthy. */
                ineligibleReason: string | null;
            }[];
            recommended: {
                index: number;
                provider: string;
                subproviderId: string;
            } | null;
        };
        Failure: {
            /** @enum {boolean} */
            success: false;
            /** @description The HTTP status. */
            statusCode: number;
            /** @description What went wrong, for a developer; never for a customer. */
            message: string;
            /** @description What was wrong, one sentence each; null where there is nothing to add. */
            data: {
                errors: string[];
                /**
                 * Format: uuid
                 * @description The payment that has the order id.
                 */
                paymentId?: string;
                /** @description What is left to refund, in whole main units. */
                refundableAmount?: number;
            } | null;
        };
        InitiatePaymentRequest: {
            /**
             * @description The merchant's own reference; unique for every payment request.
             * @example ORD-1001
             */
            merchantOrderId: string;
            /**
             * @description Whole main currency units: 1000 is one thousand naira.
             * @example 2500
             */
            amount: number;
            /**
             * @description ISO 4217 code; only NGN is supported.
             * @enum {string}
             */
            currency: "NGN";
            customer: {
                /**
                 * Format: email
                 * @description The customer's e-mail address: letters, digits and _ ' + - . before the @.
                 * @example ada@example.com
                 */
                email: string;
                /** @description The merchant's own id of the customer. */
                id?: string;
                /**
                 * @description The customer's telephone number.
                 * @example +2348012345678
                 */
                phone?: string;
            };
            /**
             * @description Free-form details; at most 16 KiB and 5 levels.
             * @example {
             *       "cartId": "cart-1"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            };
            /**
             * @description Where to send the customer after payment: an absolute address without user info; https, in test mode also http. Letters outside ASCII are encoded.
             * @example https://shop.example/thanks
             */
            redirectUrl?: string;
            /**
             * @description How the customer will pay; matches the smart routing rules. In any case, one of CARD, TRANSFER, USSD, BANK, QR, WALLET, MOBILE_MONEY, DIRECT_DEBIT, BANK_TRANSFER, which is TRANSFER.
             * @example card
             */
            paymentMethod?: string;
            /**
             * @description ISO 3166-1 alpha-2 code.
             * @example NG
             */
            customerCountry?: string;
            /**
             * @description An extension: a gateway to use instead of what the rules say.
             * @example paystack
             * @enum {string}
             */
            requestedGateway?: "paystack" | "flutterwave" | "monnify" | "squad" | "kora" | "interswitch";
        };
        PaymentList: {
            payments: components["schemas"]["Payment"][];
            /** @description The `cursor` of the next page; null on the last one. */
            nextCursor: string | null;
        };
        Payment: {
            /**
             * Format: uuid
             * @description The id of the payment, made by the service.
             */
            paymentId: string;
            /** @description The merchant's own reference, as it was sent. */
            merchantOrderId: string;
            /**
             * @description INITIATED: recorded, no checkout yet. PENDING: the customer can pay. SUCCESS: paid. FAILED: not paid. REFUNDED: all of it was refunded.
             * @enum {string}
             */
            status: "INITIATED" | "PENDING" | "SUCCESS" | "FAILED" | "REFUNDED";
            /**
             * @description processing while INITIATED or PENDING, succeeded, failed or refunded after it.
             * @enum {string}
             */
            executionStatus: "processing" | "succeeded" | "failed" | "refunded";
            /** @description ISO 4217 code. */
            currency: string;
            /** @description Whole main currency units: 2500 is ₦2,500. */
            amount: number;
            recommendedGateway: {
                /** @description The gateway whose checkout the customer gets. */
                name: string;
                session: components["schemas"]["Session"];
            };
            /** @description The planned gateways that were not needed, in the order in which they would have been tried; those that are not healthy come last. */
            fallbackGateways: components["schemas"]["FallbackGateway"][];
            routing: components["schemas"]["RoutingDecision"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        VerificationResult: {
            /**
             * Format: uuid
             * @description The id of the event, and the same wherever the event is shown or sent.
             */
            id: string;
            /**
             * @description What happened.
             * @enum {string}
             */
            type: "payment.pending" | "payment.succeeded" | "payment.failed" | "payment.refunded";
            /** Format: date-time */
            createdAt: string;
            /**
             * @description The number of the merchant.
             * @example M-48213907
             */
            merchantNumber: string;
            data: {
                /**
                 * Format: uuid
                 * @description The id of the payment, made by the service.
                 */
                paymentId: string;
                /** @description The merchant's own reference, as it was sent. */
                merchantOrderId: string;
                /**
                 * @description INITIATED: recorded, no checkout yet. PENDING: the customer can pay. SUCCESS: paid. FAILED: not paid. REFUNDED: all of it was refunded.
                 * @enum {string}
                 */
                status: "INITIATED" | "PENDING" | "SUCCESS" | "FAILED" | "REFUNDED";
                /**
                 * @description processing while INITIATED or PENDING, succeeded, failed or refunded after it.
                 * @enum {string}
                 */
                executionStatus: "processing" | "succeeded" | "failed" | "refunded";
                /** @description ISO 4217 code. */
                currency: string;
                /** @description The amount of the payment, in whole main currency units. */
                amount: number;
                /** @description The reference at the gateway that took the payment; empty where none opened a checkout. */
                gatewayReference: string;
            };
        };
        VerifyPaymentRequest: {
            /** @description The gateway's own transaction id, for gateways that return one to the browser. */
            transactionId?: string;
        };
        RefundPaymentRequest: {
            /**
             * @description Whole main currency units; all that is left when it is not given.
             * @example 1000
             */
            amount?: number;
            /**
             * @description Reason; sent to the gateway.
             * @example Item out of stock
             */
            reason?: string;
        };
        RefundList: {
            refunds: components["schemas"]["Refund"][];
            /** @description The `cursor` of the next page; null on the last one. */
            nextCursor: string | null;
        };
        EventList: {
            events: components["schemas"]["WebhookEvent"][];
            /** @description The `cursor` of the next page; null on the last one. */
            nextCursor: string | null;
        };
        TestEventRequest: {
            /**
             * @description The type of the event to send.
             * @example payment.succeeded
             * @enum {string}
             */
            type: "payment.succeeded" | "payment.failed" | "payment.refunded" | "refund.succeeded" | "refund.failed" | "payment.requires_review" | "payment.duplicate_charge" | "payment.reversed" | "payment.reinstated";
        };
        Rules: {
            /** @description The rules as a file; null when none are published. */
            file: {
                $schema?: string;
                /** @enum {number} */
                schemaVersion: 1;
                /** @enum {string} */
                mode: "test" | "live";
                /** @description The published version. */
                version: number;
                /** @description Accounts are named by their labels. */
                ruleSet: {
                    [key: string]: unknown;
                };
            } | null;
            /** @description The accounts that rules can name, without secrets: what `check-rules --accounts` takes. */
            accounts: {
                /** @enum {number} */
                schemaVersion: 1;
                /** @enum {string} */
                mode: "test" | "live";
                accounts: {
                    [key: string]: unknown;
                }[];
            };
        };
        RulesCheck: {
            /** @description Whether something prevents the publication: a finding of grade error. */
            blocks: boolean;
            findings: {
                /** @enum {string} */
                grade: "error" | "critical" | "warning" | "note";
                /**
                 * @description The place in the file.
                 * @example ruleSet.rules.0
                 */
                path: string;
                message: string;
                /** @description A payment that shows it. */
                example: {
                    [key: string]: unknown;
                } | null;
            }[];
            /** @description How many more were found. */
            omitted: number;
            expectations: {
                total: number;
                held: number;
            };
        };
        CheckRulesRequest: {
            /** @description A rule-set file, as `GET /v1/rules` answers it; its JSON Schema is at `/schemas/rule-set-1.json`. */
            file: {
                [key: string]: unknown;
            };
        };
        RuleDraft: {
            /** Format: uuid */
            draftId: string;
            name: string;
            /** @description The published version that it would replace; 0 for none. */
            baseVersion: number;
            /**
             * Format: uri
             * @description Where staff read, try and publish it.
             */
            url: string;
            /** Format: date-time */
            createdAt: string;
        };
        RuleDraftRequest: {
            /** @description A rule-set file, as `GET /v1/rules` answers it; its JSON Schema is at `/schemas/rule-set-1.json`. */
            file: {
                [key: string]: unknown;
            };
            /**
             * @description What the draft is called in the dashboard.
             * @example Cards to Paystack first
             */
            name?: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    initiatePayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: the same key and body is answered as the first time, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InitiatePaymentRequest"];
            };
        };
        responses: {
            /** @description The payment: PENDING with a session, or FAILED when every gateway failed. */
            200: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description Fields of the body that are not ours and were ignored, separated by commas. */
                    "Switchyard-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        status: true;
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["InitiatedPayment"];
                    };
                };
            };
            /** @description Something in the request breaks a rule; every problem is listed. */
            400: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing or invalid. */
            401: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The key must not be used from this address, or lacks the scope that the message names. */
            403: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The path does not take this method; Allow says which it takes. */
            405: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description The methods that the path takes. */
                    Allow: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The order id was used before, or the first request with this Idempotency-Key is in flight. */
            409: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is larger than 64 KiB. */
            413: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The Idempotency-Key was used with another body. */
            422: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before the next try. */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Something went wrong on our side. X-Request-Id identifies the request. */
            500: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The service cannot work just now; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before the next try. */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    listPayments: {
        parameters: {
            query?: {
                /** @description The merchant's own reference, whole. */
                merchantOrderId?: string;
                /** @description Payments of this status, or of several separated by commas. */
                status?: ("INITIATED" | "PENDING" | "SUCCESS" | "FAILED" | "REFUNDED")[];
                /** @description The customer's e-mail address, in any case, or the merchant's own id of the customer. */
                customer?: string;
                /** @description Recorded at this moment or later. */
                createdFrom?: string;
                /** @description Recorded before this moment. */
                createdTo?: string;
                /** @description How many at most; 20 when it is not given. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of payments. */
            200: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        status: true;
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["PaymentList"];
                    };
                };
            };
            /** @description Something in the request breaks a rule; every problem is listed. */
            400: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing or invalid. */
            401: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The key must not be used from this address, or lacks the scope that the message names. */
            403: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The path does not take this method; Allow says which it takes. */
            405: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description The methods that the path takes. */
                    Allow: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before the next try. */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Something went wrong on our side. X-Request-Id identifies the request. */
            500: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The service cannot work just now; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before the next try. */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id initiate answered. */
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment. */
            200: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        status: true;
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["Payment"];
                    };
                };
            };
            /** @description The API key is missing or invalid. */
            401: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The key must not be used from this address, or lacks the scope that the message names. */
            403: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description There is no such payment. */
            404: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The path does not take this method; Allow says which it takes. */
            405: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description The methods that the path takes. */
                    Allow: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before the next try. */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Something went wrong on our side. X-Request-Id identifies the request. */
            500: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The service cannot work just now; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before the next try. */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    verifyPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id initiate answered. */
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["VerifyPaymentRequest"];
            };
        };
        responses: {
            /** @description The event record. */
            200: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description Fields of the body that are not ours and were ignored, separated by commas. */
                    "Switchyard-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        status: true;
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["VerificationResult"];
                    };
                };
            };
            /** @description Something in the request breaks a rule; every problem is listed. */
            400: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing or invalid. */
            401: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The key must not be used from this address, or lacks the scope that the message names. */
            403: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description There is no such payment. */
            404: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The path does not take this method; Allow says which it takes. */
            405: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description The methods that the path takes. */
                    Allow: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is larger than 64 KiB. */
            413: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before the next try. */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Something went wrong on our side. X-Request-Id identifies the request. */
            500: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The service cannot work just now; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before the next try. */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    listRefunds: {
        parameters: {
            query?: {
                /** @description How many at most; 20 when it is not given. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id initiate answered. */
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of refunds. */
            200: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        status: true;
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["RefundList"];
                    };
                };
            };
            /** @description Something in the request breaks a rule; every problem is listed. */
            400: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing or invalid. */
            401: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The key must not be used from this address, or lacks the scope that the message names. */
            403: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description There is no such payment. */
            404: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The path does not take this method; Allow says which it takes. */
            405: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description The methods that the path takes. */
                    Allow: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before the next try. */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Something went wrong on our side. X-Request-Id identifies the request. */
            500: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The service cannot work just now; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before the next try. */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    refundPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: the same key and body is answered as the first time, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id initiate answered. */
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RefundPaymentRequest"];
            };
        };
        responses: {
            /** @description The refund. */
            200: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description Fields of the body that are not ours and were ignored, separated by commas. */
                    "Switchyard-Ignored-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        status: true;
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["Refund"];
                    };
                };
            };
            /** @description Something in the request breaks a rule; every problem is listed. */
            400: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing or invalid. */
            401: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The key must not be used from this address, or lacks the scope that the message names. */
            403: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description There is no such payment. */
            404: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The path does not take this method; Allow says which it takes. */
            405: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description The methods that the path takes. */
                    Allow: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The payment has not succeeded, or less is left of it: `data.refundableAmount` says how much. Or the first request with this Idempotency-Key is in flight. */
            409: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is larger than 64 KiB. */
            413: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The Idempotency-Key was used with another body. */
            422: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before the next try. */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Something went wrong on our side. X-Request-Id identifies the request. */
            500: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The service cannot work just now; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before the next try. */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id initiate answered. */
                paymentId: string;
                /** @description The id that the refund was answered with. */
                refundId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The refund. */
            200: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        status: true;
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["Refund"];
                    };
                };
            };
            /** @description The API key is missing or invalid. */
            401: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The key must not be used from this address, or lacks the scope that the message names. */
            403: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description There is no such payment, or no such refund of it. */
            404: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The path does not take this method; Allow says which it takes. */
            405: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description The methods that the path takes. */
                    Allow: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before the next try. */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Something went wrong on our side. X-Request-Id identifies the request. */
            500: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The service cannot work just now; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before the next try. */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Events of this payment. */
                paymentId?: string;
                /** @description Events of this type, or of several separated by commas. */
                type?: ("payment.succeeded" | "payment.failed" | "payment.refunded" | "refund.succeeded" | "refund.failed" | "payment.requires_review" | "payment.duplicate_charge" | "payment.reversed" | "payment.reinstated")[];
                /** @description Recorded at this moment or later. */
                createdFrom?: string;
                /** @description Recorded before this moment. */
                createdTo?: string;
                /** @description How many at most; 20 when it is not given. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        status: true;
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["EventList"];
                    };
                };
            };
            /** @description Something in the request breaks a rule; every problem is listed. */
            400: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing or invalid. */
            401: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The key must not be used from this address, or lacks the scope that the message names. */
            403: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The path does not take this method; Allow says which it takes. */
            405: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description The methods that the path takes. */
                    Allow: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before the next try. */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Something went wrong on our side. X-Request-Id identifies the request. */
            500: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The service cannot work just now; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before the next try. */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    streamEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last event that was received; the stream goes on after it. One that is not known or no longer kept is a 400; without it the stream begins now. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, until the client leaves. Comments come every 15 seconds when nothing happens. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id: 019a9d3c-1fe7-700b-9c3c-b6885eb37de5
                     *     event: payment.succeeded
                     *     data: {"id":"019a9d3c-1fe7-700b-9c3c-b6885eb37de5","type":"payment.succeeded","createdAt":"2026-11-21T09:31:37.905Z","merchantNumber":"M-48213907","data":{"paymentId":"019a9d3c-0fbd-7ca9-979d-729ff1c9c74e","merchantOrderId":"ORD-1001","status":"SUCCESS","executionStatus":"succeeded","currency":"NGN","amount":2500,"gatewayReference":"sy019a9d3c0fbd7ca9979d729ff1c9c74e00"}}
                     */
                    "text/event-stream": string;
                };
            };
            /** @description Something in the request breaks a rule; every problem is listed. */
            400: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing or invalid. */
            401: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The key must not be used from this address, or lacks the scope that the message names. */
            403: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The path does not take this method; Allow says which it takes. */
            405: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description The methods that the path takes. */
                    Allow: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before the next try. */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Something went wrong on our side. X-Request-Id identifies the request. */
            500: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The service cannot work just now; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before the next try. */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    sendTestEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestEventRequest"];
            };
        };
        responses: {
            /** @description The event that was sent. */
            200: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        status: true;
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["WebhookEvent"];
                    };
                };
            };
            /** @description Something in the request breaks a rule; every problem is listed. */
            400: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing or invalid. */
            401: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The key must not be used from this address, or lacks the scope that the message names. */
            403: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The path does not take this method; Allow says which it takes. */
            405: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description The methods that the path takes. */
                    Allow: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is larger than 64 KiB. */
            413: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before the next try. */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Something went wrong on our side. X-Request-Id identifies the request. */
            500: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The service cannot work just now; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before the next try. */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getRules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rules. */
            200: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        status: true;
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["Rules"];
                    };
                };
            };
            /** @description Something in the request breaks a rule; every problem is listed. */
            400: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing or invalid. */
            401: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The key must not be used from this address, or lacks the scope that the message names. */
            403: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The path does not take this method; Allow says which it takes. */
            405: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description The methods that the path takes. */
                    Allow: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before the next try. */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Something went wrong on our side. X-Request-Id identifies the request. */
            500: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The service cannot work just now; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before the next try. */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    checkRules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckRulesRequest"];
            };
        };
        responses: {
            /** @description What was found. */
            200: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        status: true;
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["RulesCheck"];
                    };
                };
            };
            /** @description Something in the request breaks a rule; every problem is listed. */
            400: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing or invalid. */
            401: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The key must not be used from this address, or lacks the scope that the message names. */
            403: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The path does not take this method; Allow says which it takes. */
            405: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description The methods that the path takes. */
                    Allow: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is larger than 64 KiB. */
            413: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before the next try. */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Something went wrong on our side. X-Request-Id identifies the request. */
            500: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The service cannot work just now; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before the next try. */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    createRuleDraft: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RuleDraftRequest"];
            };
        };
        responses: {
            /** @description The draft. */
            200: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        status: true;
                        /** @enum {number} */
                        statusCode: 200;
                        message: string;
                        data: components["schemas"]["RuleDraft"];
                    };
                };
            };
            /** @description Something in the request breaks a rule; every problem is listed. */
            400: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing or invalid. */
            401: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The key must not be used from this address, or lacks the scope that the message names. */
            403: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The path does not take this method; Allow says which it takes. */
            405: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description The methods that the path takes. */
                    Allow: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is larger than 64 KiB. */
            413: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before the next try. */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Something went wrong on our side. X-Request-Id identifies the request. */
            500: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The service cannot work just now; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies the request; the one that was sent, where it was a UUID. */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before the next try. */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    "payment.succeeded": {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event; the same each time the event is sent. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of id, timestamp and body, as Standard Webhooks has them, separated by spaces: two while a secret is replaced. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Any 2xx: the event has arrived. Any other answer, or none in 15 s: it is sent again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "payment.failed": {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event; the same each time the event is sent. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of id, timestamp and body, as Standard Webhooks has them, separated by spaces: two while a secret is replaced. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Any 2xx: the event has arrived. Any other answer, or none in 15 s: it is sent again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "payment.refunded": {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event; the same each time the event is sent. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of id, timestamp and body, as Standard Webhooks has them, separated by spaces: two while a secret is replaced. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Any 2xx: the event has arrived. Any other answer, or none in 15 s: it is sent again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "refund.succeeded": {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event; the same each time the event is sent. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of id, timestamp and body, as Standard Webhooks has them, separated by spaces: two while a secret is replaced. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Any 2xx: the event has arrived. Any other answer, or none in 15 s: it is sent again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "refund.failed": {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event; the same each time the event is sent. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of id, timestamp and body, as Standard Webhooks has them, separated by spaces: two while a secret is replaced. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Any 2xx: the event has arrived. Any other answer, or none in 15 s: it is sent again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "payment.requires_review": {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event; the same each time the event is sent. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of id, timestamp and body, as Standard Webhooks has them, separated by spaces: two while a secret is replaced. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Any 2xx: the event has arrived. Any other answer, or none in 15 s: it is sent again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "payment.duplicate_charge": {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event; the same each time the event is sent. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of id, timestamp and body, as Standard Webhooks has them, separated by spaces: two while a secret is replaced. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Any 2xx: the event has arrived. Any other answer, or none in 15 s: it is sent again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "payment.reversed": {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event; the same each time the event is sent. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of id, timestamp and body, as Standard Webhooks has them, separated by spaces: two while a secret is replaced. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Any 2xx: the event has arrived. Any other answer, or none in 15 s: it is sent again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "payment.reinstated": {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event; the same each time the event is sent. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of id, timestamp and body, as Standard Webhooks has them, separated by spaces: two while a secret is replaced. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Any 2xx: the event has arrived. Any other answer, or none in 15 s: it is sent again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
