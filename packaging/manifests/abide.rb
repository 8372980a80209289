# The formula for a Homebrew tap: Formula/abide.rb.
class Abide < Formula
  desc "What a robot may do with a URL, and why"
  homepage "@REPOSITORY@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  # @for OS
  on_@OS@ do
    on_@CPU@ do
      url "@URL@"
      sha256 "@DIGEST@"
    end
  end
  # @end

  def install
    bin.install "abide"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/abide.bash" => "abide"
    zsh_completion.install "completions/abide.zsh" => "_abide"
    fish_completion.install "completions/abide.fish"
  end

  test do
    (testpath/"robots.txt").write "User-agent: *\nDisallow: /x\n"
    assert_match "disallowed", shell_output("#{bin}/abide check /x --agent A --robots robots.txt", 1)
  end
end
