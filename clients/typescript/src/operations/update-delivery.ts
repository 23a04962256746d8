/** The one change whose refusal brings more than `userErrors`: what the customer has to choose from. */
import { UpdateDeliveryDocument } from './generated/customer-operations.ts';
import { type Asker, query, refuse } from './operation.ts';

/**
 * Where a contract is delivered, and how. Where there are several ways and `optionCode` names none of them it is not
 * changed: USER_ERRORS, with `deliveryOptions`. Show them, and send the `code` of the chosen one as `optionCode`.
 */
export function updateDelivery(asker: Asker) {
  return query(asker, UpdateDeliveryDocument, (value, requestId) => {
    const { userErrors, deliveryOptions, ...changed } = value;
    refuse(userErrors, requestId, { deliveryOptions });
    return changed;
  });
}
