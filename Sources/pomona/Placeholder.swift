@main struct P { static func main() { print(1) } }
