/** The contents of each order, with prices: change a quantity, swap, add and remove. */
import { useState } from 'react';
import type { PreviewLinesVariables, SubscriptionLine } from 'subscription-management-client';
import { useLineOptions, useUpdateLines } from 'subscription-management-react';
import { client } from './client.ts';
import { priceText } from './format.ts';
import { OrderPrice } from './order-price.tsx';
import { Choices, Field, More, Problem, Section, Sheet, SheetButton } from './parts.tsx';
import { type SheetProps, type SubscriptionProps, showDone } from './subscription.tsx';

export function Contents({ subscription, isFixed }: SubscriptionProps & { isFixed: boolean }) {
  const { lines, deliveryPrice, nextOrder } = subscription;
  const prices = [deliveryPrice, ...lines.nodes.map((line) => line.lineDiscountedPrice)];
  const presentTotal = prices.reduce((sum, { amount }) => sum + Number(amount), 0);
  return (
    <Section title="In each order">
      <ul className="rows">
        {lines.nodes.map((line) => (
          <li key={line.id}>
            {line.variantImage && <img src={line.variantImage.url} alt="" />}
            <span>
              {line.quantity} × {line.title}
              {line.variantTitle && <small>{line.variantTitle}</small>}
            </span>
            <span>{priceText(line.lineDiscountedPrice)}</span>
            {!isFixed && (
              <SheetButton
                label="Change"
                name={`Change ${line.title}`}
                sheet={(close) => <LineSheet {...{ subscription, line, close }} />}
              />
            )}
          </li>
        ))}
        <li>
          <span>Delivery</span>
          <span>{priceText(deliveryPrice)}</span>
        </li>
        {nextOrder && (
          <li>
            <strong>Total of the next order</strong>
            <strong>{nextOrder.total ? priceText(nextOrder.total) : 'Not certain yet'}</strong>
          </li>
        )}
      </ul>
      {nextOrder?.total && Number(nextOrder.total.amount).toFixed(3) !== presentTotal.toFixed(3) && (
        <p>The prices above are today’s. The total is what the next order will cost.</p>
      )}
      {!isFixed && (
        <SheetButton label="Add a product" sheet={(close) => <AddSheet {...{ subscription, close }} />} />
      )}
    </Section>
  );
}

/** The products that can replace a line or be added, without those that the subscription has in another line. */
function ProductChoices({ subscription, line }: SubscriptionProps & { line?: SubscriptionLine }) {
  const options = useLineOptions(subscription.id, line && { lineId: line.id });
  const presentIds = subscription.lines.nodes.map(({ variantId }) => variantId);
  const alternatives = options.data
    ?.filter(({ availableForSale, productVariant: { id } }) => availableForSale && !presentIds.includes(id))
    .map(({ productVariant, product, currentPrice }) => ({
      value: productVariant.id,
      label: product.title,
      detail: [productVariant.title, currentPrice && priceText(currentPrice)].filter(Boolean).join(' · '),
      image: (productVariant.media.nodes[0] ?? product.featuredMedia)?.preview?.image?.url,
    }));
  const currentVariant = line?.variantId && {
    ...{ value: line.variantId, label: line.title },
    ...{ detail: line.variantTitle ?? undefined, image: line.variantImage?.url },
  };
  const choices = alternatives && [...(currentVariant ? [currentVariant] : []), ...alternatives];
  return (
    <>
      {options.isPending && <p role="status">Loading …</p>}
      {options.error && <Problem error={options.error} retry={options.refetch} />}
      {choices && choices.length > 0 && (
        <Choices legend="Product" name="variant" choices={choices} chosen={line?.variantId ?? undefined} />
      )}
      {choices?.length === 0 && !options.hasNextPage && <p>There is nothing to choose.</p>}
      <More list={options} />
    </>
  );
}

type LinesChange = Omit<PreviewLinesVariables, 'contractId'>;

/** What the next order will cost after the change of the form, once the form is complete. */
function LinesPrice({ contractId, change }: { contractId: string; change: LinesChange | undefined }) {
  if (!change) return null;
  return (
    <OrderPrice
      name={`${contractId} ${JSON.stringify(change)}`}
      preview={(options) => client.subscriptions.previewLines({ contractId, ...change }, options)}
    />
  );
}

function LineSheet({ subscription, line, close }: SheetProps & { line: SubscriptionLine }) {
  const { id, lines } = subscription;
  const updateLines = useUpdateLines(id);
  const [isRemoving, setRemoving] = useState(false);
  const [change, setChange] = useState<LinesChange>();
  function toChange(form: FormData): LinesChange {
    const variant = form.get('variant');
    const update = {
      lineId: line.id,
      quantity: Number(form.get('quantity')),
      ...(variant && variant !== line.variantId && { productVariantId: String(variant) }),
    };
    return { update: [update] };
  }
  const save = async (form: FormData) => showDone(await updateLines.mutateAsync(toChange(form)));
  const remove = async () => showDone(await updateLines.mutateAsync({ remove: [line.id] }));

  if (isRemoving)
    return (
      <Sheet title={`Remove ${line.title}?`} action="Remove" isFinal onClose={close} onSubmit={remove}>
        <p>It will not come with your orders any more.</p>
      </Sheet>
    );
  return (
    <Sheet
      {...{ title: `Change ${line.title}`, action: 'Save', onClose: close, onSubmit: save }}
      onChange={(form) => setChange(form && toChange(form))}
    >
      <Field label="Quantity" name="quantity" type="number" min={1} required value={line.quantity} />
      <ProductChoices {...{ subscription, line }} />
      {lines.nodes.length > 1 && (
        <button type="button" className="plain" onClick={() => setRemoving(true)}>
          Remove from my orders
        </button>
      )}
      <LinesPrice contractId={id} change={change} />
    </Sheet>
  );
}

function AddSheet({ subscription, close }: SheetProps) {
  const updateLines = useUpdateLines(subscription.id);
  const [change, setChange] = useState<LinesChange>();
  function toChange(form: FormData): LinesChange {
    const line = { productVariantId: String(form.get('variant')), quantity: Number(form.get('quantity')) };
    return { add: [line] };
  }
  const add = async (form: FormData) => showDone(await updateLines.mutateAsync(toChange(form)));
  return (
    <Sheet
      {...{ title: 'Add a product', action: 'Add to my orders', onClose: close, onSubmit: add }}
      onChange={(form) => setChange(form && toChange(form))}
    >
      <ProductChoices subscription={subscription} />
      <Field label="Quantity" name="quantity" type="number" min={1} required value={1} />
      <LinesPrice contractId={subscription.id} change={change} />
    </Sheet>
  );
}
