/** How often, where to, and paid with what. */
import { useState } from 'react';
import {
  type DeliveryMethod,
  type DeliveryOption,
  isServiceError,
  type MailingAddressInput,
  toAddressInput,
} from 'subscription-management-client';
import { useUpdateDelivery, useUpdateInterval } from 'subscription-management-react';
import { client } from './client.ts';
import { expiryText, frequencyText, type Interval, paymentText, priceText, sentence } from './format.ts';
import { useCustomerQuery, useHome } from './home.tsx';
import { OrderPrice } from './order-price.tsx';
import { Choices, Field, Problem, Section, Sheet, SheetButton } from './parts.tsx';
import { PaymentSheet } from './payment.tsx';
import { type SheetProps, type SubscriptionProps, showDone } from './subscription.tsx';

export function Terms({ subscription }: SubscriptionProps) {
  const { deliveryMethod, customerPaymentMethod } = subscription;
  return (
    <Section title="Your subscription">
      <ul className="rows">
        <li>
          <span>
            <small>How often</small>
            {sentence(frequencyText(subscription))}
          </span>
          <SheetButton
            label="Change"
            name="Change how often it comes"
            sheet={(close) => <IntervalSheet {...{ subscription, close }} />}
          />
        </li>
        <li>
          <span>
            <small>Delivered to</small>
            {addressOf(deliveryMethod)?.formatted.join(', ') ?? 'No address'}
            <small>{optionTitle(deliveryMethod)}</small>
          </span>
          <SheetButton
            label="Change"
            name="Change the delivery address"
            sheet={(close) => <DeliverySheet {...{ subscription, close }} />}
          />
        </li>
        <li>
          <span>
            <small>Paid with</small>
            {paymentText(customerPaymentMethod)}
            <small>{expiryText(customerPaymentMethod)}</small>
          </span>
          <SheetButton
            label="Change"
            name="Change the payment method"
            sheet={(close) => <PaymentSheet {...{ subscription, close }} />}
          />
        </li>
      </ul>
    </Section>
  );
}

const addressOf = (method: DeliveryMethod | null) =>
  method && 'address' in method ? method.address : undefined;

function optionTitle(method: DeliveryMethod | null): string | null | undefined {
  if (!method) return undefined;
  if ('shippingOption' in method) return method.shippingOption.title;
  return 'pickupOption' in method ? method.pickupOption.title : method.localDeliveryOption.title;
}

const hasInterval = (policy: object): policy is Interval => 'interval' in policy;

function IntervalSheet({ subscription, close }: SheetProps) {
  const { id } = subscription;
  const { format } = useHome();
  const updateInterval = useUpdateInterval(id);
  const info = useCustomerQuery(`intervals ${id}`, () =>
    client.subscriptions.intervalInfo({ contractId: id }),
  );
  const [chosenPlan, choosePlan] = useState<string>();
  const plans = info.data?.nodes.flatMap(({ sellingPlans }) => sellingPlans.nodes) ?? [];
  const choices = plans.flatMap(({ id: value, billingPolicy, deliveryPolicy, name }) => {
    // Plans with fixed dates have no interval.
    if (!hasInterval(billingPolicy) || !hasInterval(deliveryPolicy)) return [];
    const label = sentence(frequencyText({ billingPolicy, deliveryPolicy }));
    return [{ value, label, detail: name.toLowerCase() === label.toLowerCase() ? undefined : name }];
  });
  const current = choices.find(({ label }) => label === sentence(frequencyText(subscription)))?.value;
  return (
    <Sheet
      title="How often"
      action={choices.length > 0 ? 'Save' : undefined}
      onClose={close}
      onChange={(form) => choosePlan(form && String(form.get('plan')))}
      onSubmit={async (form) => {
        const done = await updateInterval.mutateAsync({ sellingPlanId: String(form.get('plan')) });
        const next = done.subscription?.nextOrder;
        const more = done.droppedEdits.map(({ originalDate, movedTo, skipped, reason }) => {
          const at = movedTo ?? originalDate;
          return [`No longer ${skipped ? 'skipped' : 'moved'}:`, at && `${format.day(at)}.`, reason].join(
            ' ',
          );
        });
        const text = next && `Next order: ${format.day(next.date)}.`;
        showDone(done, undefined, [text, ...more].join(' '));
      }}
    >
      {info.isPending && <p role="status">Loading …</p>}
      {info.error && <Problem error={info.error} retry={info.refetch} />}
      {info.data && choices.length === 0 && (
        <p>
          The store offers no interval to choose from for the products of this subscription. Contact the store
          to change how often it comes.
        </p>
      )}
      {choices.length > 0 && <Choices legend="Interval" name="plan" choices={choices} chosen={current} />}
      {chosenPlan && chosenPlan !== current && (
        <OrderPrice
          name={`${id} ${chosenPlan}`}
          preview={(options) =>
            client.subscriptions.previewInterval({ contractId: id, sellingPlanId: chosenPlan }, options)
          }
          withoutDate="The new interval sets its date, which you see when the change is saved."
        />
      )}
    </Sheet>
  );
}

const FIELDS = [
  { name: 'firstName', label: 'First name', autoComplete: 'given-name' },
  { name: 'lastName', label: 'Last name', autoComplete: 'family-name' },
  { name: 'address1', label: 'Street address', autoComplete: 'address-line1' },
  { name: 'address2', label: 'Apartment (optional)', autoComplete: 'address-line2' },
  { name: 'zip', label: 'Postal code', autoComplete: 'postal-code' },
  { name: 'city', label: 'City', autoComplete: 'address-level2' },
  { name: 'phone', label: 'Phone (optional)', autoComplete: 'tel' },
] as const;

/** Changes the address; if the store then has several ways of delivery, asks for one. */
function DeliverySheet({ subscription: { id, deliveryMethod }, close }: SheetProps) {
  const updateDelivery = useUpdateDelivery(id);
  const address = addressOf(deliveryMethod);
  const [entered, setEntered] = useState<MailingAddressInput>();
  const [options, setOptions] = useState<readonly DeliveryOption[]>([]);

  async function submitAddress(form: FormData) {
    const shipping: MailingAddressInput = entered ?? {
      // This form is for one country and province: a store that ships to more asks for them, too.
      ...(address && toAddressInput(address)),
      ...Object.fromEntries(FIELDS.map(({ name }) => [name, String(form.get(name))])),
    };
    const optionCode = form.get('option');
    try {
      const change = { deliveryMethod: { shipping }, ...(optionCode && { optionCode: String(optionCode) }) };
      showDone(await updateDelivery.mutateAsync(change));
    } catch (error) {
      if (!isServiceError(error) || error.deliveryOptions.length === 0 || optionCode) throw error;
      setEntered(shipping);
      setOptions(error.deliveryOptions);
      throw error;
    }
  }

  return (
    <Sheet title="Delivery" action="Save" onClose={close} onSubmit={submitAddress}>
      {options.length > 0 ? (
        <Choices
          legend="Delivery option"
          name="option"
          choices={options.map(({ code, title, price: cost }) => ({
            ...{ value: code, label: title, detail: priceText(cost) },
          }))}
        />
      ) : (
        FIELDS.map((field) => (
          <Field
            key={field.name}
            {...field}
            value={address?.[field.name]}
            required={!field.label.endsWith('(optional)')}
          />
        ))
      )}
    </Sheet>
  );
}
