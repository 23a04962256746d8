/** As much of react-native as its quickstart uses (react-native/packages/react-native/Libraries, of the same names). */
import type { ReactElement, ReactNode } from 'react';
export declare function Button(props: { title: string; onPress?: (event: object) => void }): ReactElement;
export declare function Text(props: { children?: ReactNode }): ReactElement;
export declare function FlatList<Item>(props: {
  data: ArrayLike<Item> | null | undefined;
  renderItem: (info: { item: Item; index: number }) => ReactElement | null;
}): ReactElement;
