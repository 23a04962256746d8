// swift-tools-version:5.9
import PackageDescription

let package = Package(
  name: "Subscriptions",
  platforms: [.iOS(.v15)],
  products: [.library(name: "Subscriptions", targets: ["Subscriptions"])],
  targets: [.target(name: "Subscriptions", path: ".", exclude: ["README.md"])]
)
