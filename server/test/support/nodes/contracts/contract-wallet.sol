// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "./plain-token.sol";

/// A wallet that is a contract: all its payments are internal calls.
contract ContractWallet {
    receive() external payable {}

    function execute(address to, uint256 value, bytes calldata data) external {
        (bool done, ) = to.call{value: value}(data);
        require(done, "the call failed");
    }

    /// Pays in an inner call that reverts, and succeeds itself.
    function attempt(PlainToken token, address payable to, uint256 value) external payable {
        try this.payAndFail{value: msg.value}(token, to, value) {
            revert("it should have failed");
        } catch {}
    }

    function payAndFail(PlainToken token, address payable to, uint256 value) external payable {
        token.transfer(to, value);
        (bool sent, ) = to.call{value: msg.value}("");
        require(!sent, "and back");
    }
}

/// Leaves its whole balance to an heir by self-destructing: no call is made, so the heir cannot refuse.
contract Bequest {
    constructor(address payable heir) payable {
        selfdestruct(heir);
    }
}
