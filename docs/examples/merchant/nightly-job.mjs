/** Charges the orders that are due: SERVICE_URL=… ADMIN_KEY=… node nightly-job.mjs. A job that broke off begins again. */
import { createMerchantClient, isServiceError } from 'subscription-management-client';

const { SERVICE_URL: serviceUrl, ADMIN_KEY: adminKey } = process.env;
const merchant = createMerchantClient({ serviceUrl, adminKey });

const counts = { charged: 0, refused: 0 };
for await (const order of merchant.orders.due({ lookBackDays: 3 })) {
  try {
    await merchant.orders.charge(order);
    counts.charged++;
  } catch (error) {
    // It is this order's alone, such as a payment method that is gone.
    if (!isServiceError(error, 'USER_ERRORS')) throw error;
    console.error(`${order.contractId}, ${order.date}: ${error.message}`);
    counts.refused++;
  }
}
console.log(JSON.stringify(counts));
