/** The packages of Expo and React Native in a browser, as much as the quickstart uses: their functions and components. */
import { createElement, type ReactElement, type ReactNode } from 'react';
import { OLD_ADDRESS, signInPages, texts } from './device.ts';

// expo-linking: the app is opened with an old address. That of the sign-in comes from the browser that the client opens.
export const addEventListener = () => ({ remove: () => undefined });
export const getInitialURL = async () => OLD_ADDRESS;

// expo-secure-store
export const AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY = 4;
export const getItemAsync = async (key: string) => texts.get(key) ?? null;
export const setItemAsync = async (key: string, value: string) => void texts.set(key, value);
export const deleteItemAsync = async (key: string) => void texts.delete(key);

// expo-web-browser
export const openAuthSessionAsync = async (url: string) => ({
  type: 'success',
  url: await signInPages(url),
});

// react-native
export const Button = ({ title, onPress }: { title: string; onPress: () => void }) =>
  createElement('button', { type: 'button', onClick: onPress }, title);
export const Text = ({ children }: { children?: ReactNode }) => createElement('p', {}, children);
type ListProps<Item> = {
  data: readonly Item[] | undefined;
  renderItem: (info: { item: Item }) => ReactElement;
};
export const FlatList = <Item extends { id: string }>({ data = [], renderItem }: ListProps<Item>) =>
  data.map((item) => createElement('div', { key: item.id }, renderItem({ item })));
